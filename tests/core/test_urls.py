"""URLs have the parts, the texts and the faults that Go's net/url has for them: measured with Go 1.24."""

from __future__ import annotations

import pytest

from plait.core.urls import BadUrl, parameters, query_of, url

PARTS: dict[str, dict[str, object]] = {
    "": {},
    "a/b": {"path": "a/b"},
    "*": {"path": "*"},
    "http://h": {"scheme": "http", "host": "h"},
    "HTTP://H/": {"scheme": "http", "host": "H", "path": "/"},
    "a+b-1.2://h": {"scheme": "a+b-1.2", "host": "h"},
    "http://h:80": {"scheme": "http", "host": "h:80", "hostname": "h", "port": "80"},
    "http://h:": {"scheme": "http", "host": "h:", "hostname": "h"},
    "http://[::1]:8/": {"scheme": "http", "host": "[::1]:8", "hostname": "::1", "port": "8", "path": "/"},
    "//[a%25%41]": {"host": "[a%A]", "hostname": "a%A"},
    "//[fe80::1%25e%20n]": {"host": "[fe80::1%e n]", "hostname": "fe80::1%e n"},
    "http://u@h": {"scheme": "http", "host": "h", "user": "u"},
    "http://:p@h": {"scheme": "http", "host": "h", "user": ":p"},
    "http://a%40:b%2f@h": {"scheme": "http", "host": "h", "user": "a%40:b%2F"},
    "http://a@b@h": {"scheme": "http", "host": "h", "user": "a%40b"},
    "http://%c3%a9": {"scheme": "http", "host": "é"},
    "//h/p": {"host": "h", "path": "/p"},
    "///p": {"path": "///p"},
    "file:/p": {"scheme": "file", "path": "/p", "bare": True},
    "file:///p": {"scheme": "file", "path": "/p"},
    "mailto:a@b": {"scheme": "mailto", "opaque": "a@b"},
    "h:80": {"scheme": "h", "opaque": "80"},
    "/a%2Fb%20c": {"path": "/a/b c", "raw_path": "/a%2Fb%20c"},
    "/a%20b": {"path": "/a b"},
    "/a b": {"path": "/a b", "raw_path": "/a b"},
    "/a%ff": {"path": "/a\udcff", "raw_path": "/a%ff"},
    "/p?a=b&c#d%20e": {"path": "/p", "query": "a=b&c", "fragment": "d e"},
    "/p?": {"path": "/p", "asks": True},
    "/p??": {"path": "/p", "query": "?"},
    "#a b": {"fragment": "a b", "raw_fragment": "a b"},
}
"""Texts, and what is not empty of them."""
NAMES = ("scheme", "opaque", "host", "hostname", "port", "path", "raw_path", "query", "fragment", "raw_fragment")

TEXTS = {
    "HTTP://u:@H": "http://u:@H",
    "http:///p": "http:///p",
    "http:/p": "http:/p",
    "http://é/é": "http://%C3%A9/%C3%A9",
    "/a%2fb[c]": "/a%2fb[c]",
    "/a%2fb c": "/a/b%20c",
    "./a:b": "./a:b",
    "x?": "x?",
    "x#!'()": "x#!'()",
    "x#<": "x#%3C",
    "*": "*",
    "http://h?a b": "http://h?a b",
    "http://@h": "http://@h",
}
"""Texts, and what they are when their parts are put together again."""

FAULTS = {
    ":a": "missing protocol scheme",
    "1:b": "first path segment in URL cannot contain colon",
    "a b:c": "first path segment in URL cannot contain colon",
    "a\nb": "net/url: invalid control character in URL",
    "http://a b/": 'invalid character " " in host name',
    "http://h:8x/": 'invalid port ":8x" after host',
    "http://[::1": "missing ']' in host",
    "http://[::1]x": 'invalid port "x" after host',
    "http://h%41/": 'invalid URL escape "%41"',
    "http://h%4": 'invalid URL escape "%4"',
    "http://[a%25%2f]": 'invalid URL escape "%2f"',
    "http://[a%25%c3]": 'invalid URL escape "%c3"',
    "http://a b@h": "net/url: invalid userinfo",
    "http://%zz@h": 'invalid URL escape "%zz"',
    "http://h/%zz": 'invalid URL escape "%zz"',
    "/%é": 'invalid URL escape "%é"',
}
"""Texts, and why they are no URLs."""


@pytest.mark.parametrize("text", PARTS)
def test_a_url_has_parts(text: str) -> None:
    found = url(text)
    parts = {name: getattr(found, name) for name in (*NAMES, "bare", "asks")}
    parts["user"] = found.login.text if found.login else ""
    expected = {"hostname": PARTS[text].get("host", ""), **PARTS[text]}
    assert {name: part for name, part in parts.items() if part} == {
        name: part for name, part in expected.items() if part
    }


@pytest.mark.parametrize(("text", "again"), TEXTS.items())
def test_the_parts_of_a_url_are_a_text(text: str, again: str) -> None:
    assert url(text).text == again


@pytest.mark.parametrize(("text", "fault"), FAULTS.items())
def test_a_text_is_no_url(text: str, fault: str) -> None:
    with pytest.raises(BadUrl, match=r"^parse ") as caught:
        url(text)
    assert str(caught.value).endswith(f": {fault}")


def test_a_fault_names_the_url_up_to_what_is_wrong() -> None:
    with pytest.raises(BadUrl, match=r'^parse ":a": missing'):
        url(":a#f")
    with pytest.raises(BadUrl, match=r'^parse "a#%zz": invalid'):
        url("a#%zz")


def test_a_query_has_values_by_name() -> None:
    found = parameters("a+b=c%20d&e&e=1=2&=x&&f;g=1&h=%zz&i=%ff")
    assert found == {"a b": ["c d"], "e": ["", "1=2"], "": ["x"], "i": ["\udcff"]}
    assert query_of(found) == "=x&a+b=c+d&e=&e=1%3D2&i=%FF"
