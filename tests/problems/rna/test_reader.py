"""Reading records of sequences and structures, for inverse folding and for folding."""

import pytest

from nrpa.base.errors import InputError
from nrpa.problems.fold.problem import Folding
from nrpa.problems.rna.problem import InverseFolding

RECORDS = """\
>tRNA 1 a description
GGGGAAAA
cccc  # its end
((((....)))) (-5.40)
>short
GGGAAATCC
(((...)))(0)
>bare
"""


def loaded(tmp_path, cls, text, member=""):
    """Load what a file holds."""
    path = tmp_path / "f"
    path.write_text(text)
    return cls.load(f"{path}:{member}" if member else path)


@pytest.mark.parametrize(
    "text",
    [
        "GGGAAAUCC\n(((...)))\n",
        ">x\nGGGAAAUCC\n(((...))) (-1.20)\n",
        "gggaaatcc\n(((...))) ( -1.20)\n",
        ">\nGGGAA\nAUCC\n(((...)))(+3)\n",
    ],
)
def test_dbn(tmp_path, text):
    """The structure is the target, the sequence is what is folded; an energy may follow."""
    assert loaded(tmp_path, InverseFolding, text).target == "(((...)))"
    assert loaded(tmp_path, Folding, text).sequence == "GGGAAAUCC"


def test_one_of_several_records(tmp_path):
    """It is known by its name, and its hash is that of the record alone."""
    target = loaded(tmp_path, InverseFolding, RECORDS, "tRNA")
    assert (target.target, target.label) == ("((((....))))", f"{tmp_path}/f:tRNA")
    assert target.sha256 == InverseFolding("((((....))))").sha256
    folding = loaded(tmp_path, Folding, RECORDS, "short")
    assert (folding.sequence, folding.label) == ("GGGAAAUCC", f"{tmp_path}/f:short")
    assert folding.sha256 == Folding("GGGAAAUCC").sha256
    assert loaded(tmp_path, Folding, ">a\nACGU\n", "a").sequence == "ACGU"


def test_other_records_need_not_be_right(tmp_path):
    """Only the one that is meant is read."""
    assert loaded(tmp_path, Folding, ">a\nACNU\n>b\nACGU\n", "b").sequence == "ACGU"


@pytest.mark.parametrize("cls", [InverseFolding, Folding])
@pytest.mark.parametrize(
    ("text", "member", "message"),
    [
        (RECORDS, "", ": holds 3 instances (tRNA to bare); name one, as in {}:tRNA"),
        (RECORDS, "shrot", ": holds no instance 'shrot'; did you mean short?"),
        (RECORDS, "bare", ": is empty; expected a s"),
        ("GGGAAAUCC\n(((...)))\n", "x", ": holds a single instance without a name; expected no ':x'"),
        (">a\nAC\n>a\nAC\n", "", ":3: expected `>` and a name of its own before each record, found '>a'"),
        ("AC\n>b\nAC\n", "", ":2: expected `>` and a name of its own before each record, found '>b'"),
        (">a\nAC\n>\nAC\n", "", ":3: expected `>` and a name of its own before each record, found '>'"),
        ("(((...)))\nGGGAAAUCC\n", "", ":2: expected nothing but `>NAME` after a structure, found 'GGGAAAUCC'"),
        ("GGGAAAUCC\n(((...)))\n(((...)))\n", "", ":3: expected nothing but `>NAME` after a structure, found '((("),
        ("GGGAAAUC\n(((...)))\n", "", ":2: the structure has 9 positions, its sequence 8 bases"),
        ("GGGAAAUCC\n(((...))) (x)\n", "", ":2: expected a structure, perhaps with an energy such as (-1.20), found"),
        ("GGGAAAUCC\n(((...))) -1.2\n", "", ":2: expected a structure, perhaps with an energy such as (-1.20), found"),
        ("GGGAAAUCC\n(((...))) (-1.2) 3\n", "", ":2: expected a structure, perhaps with an energy such as (-1.20)"),
        ("GGGAAAUCC\n(((..x)))\n", "", ":2: expected a structure, perhaps with an energy such as (-1.20), found"),
        ("3 GGGAAAUCC\n", "", ":1: is in none of the forms that are read ("),
    ],
)
def test_bad_records(tmp_path, cls, text, member, message):
    """Each is refused with file and line, by both problems."""
    with pytest.raises(InputError) as raised:
        loaded(tmp_path, cls, text, member)
    assert str(raised.value).startswith(f"{tmp_path}/f{message.format(f'{tmp_path}/f')}")


def test_letters_of_a_sequence(tmp_path, caplog):
    """For a design they are constraints, unless they fix every base; folding needs the bases."""
    path = f"{tmp_path}/f"
    assert loaded(tmp_path, InverseFolding, "snnnanny\n.((...))\n").constraints == "SNNNANNY"
    assert not caplog.text
    assert loaded(tmp_path, InverseFolding, "GGGAAAUCC\n(((...)))\n").constraints == ""
    assert f"{path}:2: the sequence has a base at every position and is not used" in caplog.text
    given = InverseFolding.load(path, constraints="GNNNNNNNN")
    assert given.options["constraints"] == given.constraints == "GNNNNNNNN"
    with pytest.raises(InputError, match=r"f:1: expected A, C, G or U at position 6, found 'N'"):
        loaded(tmp_path, Folding, "GGGAANUCC\n(((...)))\n")
    with pytest.raises(InputError, match=r"f:1: expected a letter of IUPAC .* at position 2, found 'X'"):
        loaded(tmp_path, InverseFolding, "GXGAANUCC\n(((...)))\n")
    with pytest.raises(InputError) as raised:
        loaded(tmp_path, InverseFolding, "GRNAAANGC\n(((...)))\n")
    assert str(raised.value) == f"{path}:2: R at position 2 and G at position 8 cannot pair, as the target wants"


def test_half_of_a_record(tmp_path):
    """A target needs a structure, folding a sequence."""
    with pytest.raises(InputError, match="f:1: holds a sequence and no structure; expected a structure"):
        loaded(tmp_path, InverseFolding, "GGGAAAUCC\n")
    with pytest.raises(InputError, match="f:1: holds a structure and no sequence; expected a sequence"):
        loaded(tmp_path, Folding, "(((...)))\n")
