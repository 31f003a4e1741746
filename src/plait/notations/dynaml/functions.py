"""The functions of dynaml, all of them: the evaluator, the reference page and their test read these tables.

Each is a plain function and one declaration, in the file of its subject. A file is loaded when one of its functions is
called, so that a template that calls few of them starts fast.
"""

from __future__ import annotations

from plait.notations.dynaml.declared import DynamlFunction, FunctionTable

SUBJECTS = {
    "joining": """
        join
    """,
    "texts": """
        format error split split_match trim lower upper substr replace replace_match match basename
        dirname parseurl base64 base64_decode hash md5 asjson asyaml
    """,
    "lists": """
        length sort reverse uniq compact intersect contains index lastindex element keys makemap
        list_to_map deepmerge merge
    """,
    "asking": """
        defined valid require optional catch sync eval stub type features tagdef
    """,
    "numbers": """
        ceil floor round roundtoeven abs sin cos sinh cosh asin acos asinh acosh sqrt exp log log10
        string integer float bool
    """,
    "addresses": """
        min_ip max_ip num_ip contains_ip static_ips ipset
    """,
    "versions": """
        semver semvermajor semverminor semverpatch semverincmajor semverincminor semverincpatch
        semverrelease semverprerelease semvermetadata semvercmp semvermatch semvervalidate
        semversort
    """,
    "checks": """
        validate check
    """,
    "outside": """
        exec exec_uncached pipe pipe_uncached read read_uncached parse lookup_file lookup_dir
        list_files list_dirs env rand
    """,
}
"""The functions that each file declares; a test holds the two together."""
HOMES = {name: subject for subject, names in SUBJECTS.items() for name in names.split()}


def function_named(name: str) -> DynamlFunction | None:
    """A function of the table."""
    subject = HOMES.get(name)
    return None if subject is None else table_of(subject)[name]


def table_of(subject: str) -> FunctionTable:
    """The functions of one subject."""
    from importlib import import_module  # many a template calls no function

    table = import_module(f"plait.notations.dynaml.{subject}").TABLE
    assert isinstance(table, FunctionTable)
    return table


def all_functions() -> dict[str, DynamlFunction]:
    """Every function, by name."""
    return {name: function for subject in SUBJECTS for name, function in table_of(subject).items()}


_KEYS = "plait makes no keys and certificates"
_SECRETS = "plait does not encrypt values; `!sensitive`, SOPS and stores keep secrets"
_WRITES = "a merge writes nothing"
UNWANTED = {
    **dict.fromkeys(("x509genkey", "x509publickey", "x509cert", "x509parsecert", "wggenkey", "wgpublickey"), _KEYS),
    **dict.fromkeys(("encrypt", "decrypt", "bcrypt", "bcrypt_check", "md5crypt", "md5crypt_check"), _SECRETS),
    **dict.fromkeys(("write", "tempfile", "mkdir", "archive"), _WRITES),
}
"""Functions of spiff++ that plait does not have, and why."""
