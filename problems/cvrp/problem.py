"""Vehicle routing without time windows: capacities, and perhaps a longest route or so many vehicles."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nrpa.base.options import Option
from nrpa.base.values import positive, whole
from nrpa.io.source import BestKnown, Source
from nrpa.problems.common import whole_text
from nrpa.problems.lines import LARGEST
from nrpa.problems.routing import lengths, limits
from nrpa.problems.routing.reader import always_open
from nrpa.problems.vrptw.problem import FIRST, RETURNS, VRPTW
from nrpa.problems.vrptw.reader import FORMS, parse_cvrp


class CVRP(VRPTW):
    """Vehicle routing with capacities: serve every customer once, each route from and to the depot.

    It is ``VRPTW`` with windows that are always open, with other defaults: the distance alone counts, and distances
    are rounded as the file says.

    Parameters
    ----------
    distances : array_like of float, shape (n, n)
        From place to place, place 0 the depot. From 0 to 1e100.
    demand : array_like of float, shape (n,)
        What a customer takes of the capacity; the depot's must be 0.
    capacity : float
        Of every vehicle.
    service : array_like of float, shape (n,), optional
        How long service takes; it counts in the duration alone. 0 where it is not given.
    coordinates : array_like of float, shape (n, 2), optional
        Where the places are, for pictures.
    vehicles : int, optional
        The most vehicles that there are; any number where it is not given.
    longest : float, optional
        The most that the distance of a route can be; any where it is not given.
    duration : float, optional
        The most that distance and service of a route can be together; any where it is not given.

    References
    ----------
    E. Uchoa et al., *New benchmark instances for the Capacitated Vehicle Routing Problem*, European Journal of
    Operational Research 257, 2017.

    Examples
    --------
    >>> problem = CVRP([[0, 3, 4], [3, 0, 5], [4, 5, 0]], [0, 1, 1], 1)
    >>> problem.check([[1], [2]]).figures
    {'cost': 14.0, 'vehicles': 2, 'distance': 14.0}
    """

    name = "cvrp"
    forms = FORMS[1:]
    first = Option("distance", "What counts first: the number of vehicles, or the distance alone.", FIRST)
    returns = Option("free", "Home whenever it likes, or only when nobody can be served any more.", RETURNS)
    rounding = Option(
        "form", "How distances are rounded: as the file's EDGE_WEIGHT_TYPE says, or so.", ("form", *lengths.ROUNDINGS)
    )
    fleet = Option(0, "The most vehicles that there are; 0: as many as the file says.", least=0)

    def __init__(
        self,
        distances: ArrayLike,
        demand: ArrayLike,
        capacity: float,
        *,
        service: ArrayLike | None = None,
        coordinates: ArrayLike | None = None,
        vehicles: int | None = None,
        longest: float | None = None,
        duration: float | None = None,
        **options: Any,
    ) -> None:
        self.set_options(**options)
        given = lengths.checked_distances(distances)
        asked = np.zeros(len(given)) if service is None else limits.checked_numbers("service", service, (len(given),))
        latest = None if duration is None else positive("duration", duration, most=LARGEST)
        super().__init__(
            given,
            always_open(given, asked, latest),
            demand,
            capacity,
            service=asked,
            coordinates=coordinates,
            vehicles=self.fleet or (None if vehicles is None else whole("vehicles", vehicles)),
            longest=longest,
            **options,
        )

    @classmethod
    def from_source(cls, source: Source, **options: Any) -> Self:
        rounds = options.get("rounding", "form") == "form"
        arguments = parse_cvrp(whole_text(source), source.label, rounds)
        return cls(**arguments, **options)

    @property
    def best_known(self) -> BestKnown | None:
        """The best published distance; None where vehicles count first, are limited, or distances are rounded anew."""
        is_published = (self.first, self.rounding, self.fleet) == ("distance", "form", 0)
        return self.origin.best_known if is_published else None

    def _rounded(self, distances: np.ndarray) -> np.ndarray:
        return distances if self.rounding == "form" else super()._rounded(distances)
