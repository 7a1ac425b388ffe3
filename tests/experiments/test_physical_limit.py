"""Reading what callgrind counted, experiments/physical_limit.py."""

from pathlib import Path

EXPERIMENTS = Path(__file__).parent.parent.parent / "experiments"
PROFILE = """
events: Ir Dr
ob=(1) ???
fn=(1) search
0x10 5 2
+4 3 1
cob=(2) /lib/libm.so.6
cfn=(2) exp@@GLIBC_2.29
calls=7 0x99
* 40 4
cob=(3) /lib/libpython3.11.so
cfn=(3) PyObject_Free
calls=1 0x99
* 900 90

ob=(2)
fn=(2)
0x99 40 4
"""


def test_calls_into_the_mathematical_library_count_and_others_do_not(monkeypatch):
    """A function has its own events and those of its calls into libm, not those of its calls into Python."""
    monkeypatch.syspath_prepend(str(EXPERIMENTS))
    import physical_limit

    events, calls = physical_limit.read_profile(PROFILE)
    assert events["???", "search"] == {"Ir": 48, "Dr": 7}
    assert physical_limit.calls_of_exp(calls) == 7
