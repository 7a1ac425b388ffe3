"""The options of a problem."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Generic, Self, TypeVar, overload

from nrpa.base.options import Terms, Tried
from nrpa.base.values import LARGEST_WHOLE

T = TypeVar("T", bound=bool | int | float | str)


@dataclass(eq=False)
class Option(Generic[T]):
    """An option of a problem, declared once, in the body of its class.

    From this one line follow the keyword of the constructor, the check of the values, the option of the command line
    (``--name VALUE``; ``--name/--no-name`` for a flag) and what is recorded with a result. An instance of the problem
    has the value as its attribute; the class has the ``Option``.

    Parameters
    ----------
    default : str, bool, int or float
        The value where none is given. It says which type the values have.
    help : str
        One sentence for ``--help``.
    choices : tuple of str
        The values that a text can take; empty for any.
    least, most : int
        The least and the greatest value of a whole number.
    name : str
        What the option is called outside the class; the name of the attribute where it is empty.
    tried : Range or tuple
        What ``nrpa tune`` tries: the numbers of an ``nrpa.Range``, or these values; nothing if it is empty. Only for an
        option with which scores mean the same, whatever its value. The solver ``auto`` tries the values, too, where the
        problem is compiled and its moves mean the same.

    Raises
    ------
    InputError
        When an instance is given a value of another type, or one that is no choice.

    Examples
    --------
    >>> import nrpa
    >>> class Colouring(nrpa.Problem):
    ...     order = nrpa.Option("degree", "In which order vertices are coloured.", ("degree", "given"))
    ...
    ...     def __init__(self, edges, **options):
    ...         super().__init__(**options)
    >>> Colouring([(0, 1)], order="given").options
    {'order': 'given'}
    """

    default: T
    help: str
    choices: tuple[str, ...] = ()
    least: int = field(default=0, kw_only=True)
    most: int = field(default=LARGEST_WHOLE, kw_only=True)
    name: str = field(default="", kw_only=True)
    tried: Tried = field(default=(), kw_only=True)
    attribute: str = field(default="", init=False, repr=False)

    def __set_name__(self, owner: type, attribute: str) -> None:
        self.attribute = attribute
        self.name = self.name or attribute

    @overload
    def __get__(self, problem: None, owner: type) -> Self: ...
    @overload
    def __get__(self, problem: object, owner: type) -> T: ...
    def __get__(self, problem: object | None, owner: type) -> Self | T:
        if problem is None:
            return self
        value: T = vars(problem).get(self.attribute, self.default)
        return value

    def __set__(self, problem: object, value: T) -> None:
        vars(problem)[self.attribute] = self.checked(value)

    @property
    def terms(self) -> Terms:
        """What it means and which values it can take, as for the options of solvers."""
        least = -math.inf if isinstance(self.default, float) else self.least
        return Terms(self.default, self.help, least, self.most, self.choices, tried=self.tried)

    def checked(self, value: Any) -> Any:
        """Return a value, also one of NumPy's types, as one of Python's: of the type of ``default``.

        Raises InputError if the option cannot have it.
        """
        return self.terms.checked(self.name, value)
