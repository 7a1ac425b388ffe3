import pytest
from coins import COINS, PURSE

import nrpa
from nrpa.base.errors import InputError
from nrpa.bench import Experiment, Variant
from nrpa.solvers.nrpa.options import GNRPA, NRPA
from nrpa.solvers.portfolio import Auto

TOML = """
problem = "tsptw"
instances = ["rc201.1", "rc204.1"]
runs = 2
time = 0.5

[variants.NRPA]
solver = "nrpa"

[variants."GNRPA.beta.t1.4"]
tau = 1.4
moves = "all"
"""


FLAGS = """
problem = "samegame"
instances = ["samegame-01"]
playouts = 5

[variants.A]
selective = {}
"""


def made(variant):
    return variant.make(nrpa.TSPTW)


def test_a_variant_is_read_from_its_text():
    """Solver, solver options and problem options are told apart, with numbers and flags as such."""
    assert made(Variant.parse("NRPA:solver=nrpa,level=2")) == (NRPA(level=2), {})
    solver, options = made(Variant.parse("GNRPA.beta.t1.4:tau=1.4,bias=no,adapt=plain,moves=all"))
    assert solver == GNRPA(tau=1.4, bias=False, adapt="plain")
    assert options == {"moves": "all"}
    assert made(Variant.parse("any")) == (Auto(), {})
    assert Variant.parse('level 1, "bare":level=1').name == 'level 1, "bare"'


@pytest.mark.parametrize(
    ("text", "searches", "solver"),
    [
        ("A", None, "auto"),
        ("A:moves=all", None, "auto"),
        ("A:tau=1.4,moves=all", None, "gnrpa"),
        ("A:chains=5", None, "tempering"),
        ("A", 1, "gnrpa"),
        ("A:memory=no", 1, "nmcs"),
        ("A:solver=auto", 1, "auto"),
    ],
)
def test_a_variant_without_a_solver_has_that_of_solve(text, searches, solver):
    """An experiment that names none and `nrpa solve` choose alike; the problem's options choose none."""
    experiment = Experiment("tsptw", ("rc201.1",), (Variant.parse(text),), playouts=5, searches=searches)
    assert [variant.solver for variant in experiment.variants] == [solver]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (":tau=1", "needs a name"),
        ("A:tau", "expected key=value, found 'tau'"),
        ("A:colour=1", "unknown option 'colour'; expected one of adapt, alpha"),
        ("A:solver=annealing", "unknown solver 'annealing'"),
        ("A:tau=\u0661", "variant A: tau must be a positive number, not '\u0661'"),
        ("A:level=1_0", "variant A: level must be a number or auto, not '1_0'"),
        ("A\nB:tau=1", "needs a name without line breaks"),
        ("A:tau=-1", "variant A: tau must be a positive number"),
        ("A:solver=nrpa,tau=2", "unknown option 'tau'"),
        ("A:bias=maybe", "variant A: bias must be True or False, not 'maybe'"),
        ("A:bias=2", "variant A: bias must be True or False, not '2'"),
        ("A:adapt=1", "variant A: adapt must be one of plain, memoized, optimized, not '1'"),
        ("A:moves=yes", "variant A: moves must be one of .*, not 'yes'"),
    ],
)
def test_a_bad_variant_is_refused(text, message):
    """What is wrong with a variant is said in words."""
    with pytest.raises(InputError, match=message):
        made(Variant.parse(text))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('"maybe"', "variant A: selective must be True or False, not 'maybe'"),
        ("2", "variant A: selective must be True or False, not 2"),
        ("[true]", r"variant A: selective must be True or False, not \[True\]"),
        ("true\nadapt = ['plain']", r"variant A: adapt must be one of plain, memoized, optimized, not \['plain'\]"),
        ("true\nlevel = {a = 1}", "variant A: level must be a whole number of at least 1, not {'a': 1}"),
    ],
)
def test_what_is_no_flag_is_refused(tmp_path, value, message):
    """Before anything runs; values of other types too."""
    path = tmp_path / "e.toml"
    path.write_text(FLAGS.format(value))
    with pytest.raises(InputError, match=message):
        Experiment.from_toml(str(path))


@pytest.mark.parametrize("value", ["false", '"false"', '"no"', '"Off"'])
def test_a_flag_between_quotes_is_the_flag(tmp_path, value):
    """What is text is read as the type of the option; the experiment holds and records the value."""
    path = tmp_path / "e.toml"
    path.write_text(FLAGS.format(value))
    (variant,) = Experiment.from_toml(str(path)).variants
    assert variant == Variant("A", "auto", {"selective": False})


def test_a_text_that_looks_like_a_number_is_a_text():
    """Where the option is a text; the type of the option decides."""

    class Named(nrpa.TSPTW):
        order = nrpa.Option("1", "In which order.", ("1", "true"))

    for text in ("1", "true"):
        assert Variant.parse(f"A:order={text}").make(Named) == (Auto(), {"order": text})


def test_toml_and_arguments_describe_the_same(tmp_path):
    """A TOML file gives what the command line's arguments give; an override replaces a value."""
    path = tmp_path / "e.toml"
    path.write_text(TOML)
    variants = (Variant.parse("NRPA:solver=nrpa"), Variant.parse("GNRPA.beta.t1.4:tau=1.4,moves=all"))
    assert Experiment.from_toml(str(path)) == Experiment("tsptw", ("rc201.1", "rc204.1"), variants, runs=2, time=0.5)
    changed = Experiment.from_toml(str(path), playouts=10, runs=None)
    assert (changed.time, changed.playouts, changed.runs) == (None, 10, 2)


def test_a_target_and_a_pattern_in_a_file(tmp_path):
    """Both spellings are the same target; a name with * stands for the bundled instances, in their order."""
    path = tmp_path / "e.toml"
    path.write_text(TOML.replace('"rc204.1"', '"rc205.*"').replace("runs = 2", 'target = "best known"\nsearches = 2'))
    found = Experiment.from_toml(str(path))
    assert found.instances == ("rc201.1", "rc205.1", "rc205.2", "rc205.3", "rc205.4")
    assert (found.target, found.searches, found.ends_early) == ("best known", 2, True)
    assert Experiment.from_toml(str(path), target="best-known") == found
    for change, message in (
        ({"target": "best"}, "target must be a finite number, several or 'best known', not 'best'"),
        ({"target": [3, float("nan")]}, "target must be a finite number, several or"),
        ({"target": []}, "target must be a finite number, several or"),
        ({"target": float("nan")}, "not nan"),
        ({"searches": 0}, "searches must be"),
        ({"instances": ["y*"]}, r"no bundled tsptw instance matches y\*"),
    ):
        with pytest.raises(InputError, match=message):
            Experiment.from_toml(str(path), **change)


def test_jobs_are_interleaved():
    """The variants take turns within a seed, so that all of them see the same machine."""
    experiment = Experiment("tsptw", ("rc201.1",), (Variant("A"), Variant("B")), runs=2, playouts=5, seed=7)
    assert [job.key for job in experiment.jobs()] == [
        ("A", "rc201.1", 7),
        ("B", "rc201.1", 7),
        ("A", "rc201.1", 8),
        ("B", "rc201.1", 8),
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("runs = 0", "runs must be a whole number of at least 1, not 0"),
        ("runs = 1000000000000", "at most 1,000,000 runs in all"),
        ("playouts = 5", "of time or of playouts, and not both"),
        ("color = 1", "unknown key 'color'"),
        ("problem = 5", "problem must be a name, not 5"),
        ("runs = ", "is not TOML"),
        (f"runs = {'1' * 5000}", "is not TOML"),
        (f"runs = {'[' * 50_000}", "is TOML of too many lists within lists"),
    ],
)
def test_a_bad_toml_file_is_refused(tmp_path, change, message):
    """The file is named, and what is wrong in it."""
    path = tmp_path / "e.toml"
    key = change.split()[0]
    other = "\n".join(line for line in TOML.splitlines() if not line.startswith(f"{key} = "))
    path.write_text(f"{change}\n{other}\n")
    with pytest.raises(InputError, match=rf"e\.toml: .*{message}"):
        Experiment.from_toml(str(path))


def test_instances_are_needed_where_the_problem_reads_them(tmp_path):
    """From Python and in a TOML file, where the key may be left out."""
    with pytest.raises(InputError, match="an experiment on tsptw needs at least one instance"):
        Experiment("tsptw", (), (Variant("A"),), playouts=5)
    path = tmp_path / "e.toml"
    path.write_text('problem = "tsptw"\nplayouts = 5\n[variants.A]\n')
    with pytest.raises(InputError, match=r"e\.toml: an experiment on tsptw needs at least one instance"):
        Experiment.from_toml(str(path))


def test_the_same_name_twice_is_refused():
    """Two variants with one name could not be told apart in the records."""
    with pytest.raises(InputError, match="the variant A is given twice"):
        Experiment("tsptw", ("rc201.1",), (Variant("A"), Variant("A", "nrpa")), playouts=5)


def test_files_that_a_toml_names_are_those_beside_it(tmp_path, monkeypatch):
    """From whatever folder it is read; bundled names stay as they are."""
    folder = tmp_path / "deep" / "er"
    folder.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    (folder / "coins.py").write_text(COINS + PURSE)
    (folder / "purse").write_text("7")
    text = 'problem = "coins.py:Purse"\ninstances = ["purse"]\nplayouts = 5\n[variants.A]\nlevel = 1\n'
    (folder / "e.toml").write_text(text)
    found = Experiment.from_toml("deep/er/e.toml")
    assert (found.problem, found.instances) == ("deep/er/coins.py:Purse", ("deep/er/purse",))
    monkeypatch.chdir(folder)
    assert Experiment.from_toml("e.toml").instances == ("purse",)
    (folder / "b.toml").write_text('problem = "tsptw"\ninstances = ["rc201.1"]\nplayouts = 5\n[variants.A]\n')
    assert Experiment.from_toml(str(folder / "b.toml")).instances == ("rc201.1",)


@pytest.mark.parametrize("how", ["../purse", "absolute", "link", "../coins.py:Coins"])
def test_no_path_of_a_toml_leads_out_of_its_folder(tmp_path, monkeypatch, how):
    """Neither to an instance nor to a problem, by whatever way: nothing there is read or executed."""
    folder = tmp_path / "inner"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (tmp_path / "coins.py").write_text("raise SystemExit")
    (tmp_path / "purse").write_text("7")
    (folder / "link").symlink_to(tmp_path / "purse")
    name = str(tmp_path / "purse") if how == "absolute" else how
    problem, instances = (name, []) if "Coins" in name else ("tsptw", [name])
    (folder / "e.toml").write_text(f'problem = "{problem}"\ninstances = {instances}\nplayouts = 5\n[variants.A]\n')
    with pytest.raises(
        InputError, match=r"e\.toml: names .*, which lies outside its folder; expected a file beside it"
    ):
        Experiment.from_toml("e.toml")
