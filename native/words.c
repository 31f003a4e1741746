/* Two questions that the emitter asks about every value. Each has a regular expression that says the same in Python
 * (plait.yaml.words, plait.yaml.spelling); a test compares them.
 */
#include "scan.h"

enum { FIRST = 1, BODY = 2, AFTER_SPACE = 4 };
static unsigned char classes[128];

static void mark(const char *letters, int kinds)
{
    for (; *letters; letters++) classes[(unsigned char)*letters] |= kinds;
}

void plait_prepare_words(void)
{
    const char *alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    mark(alphabet, FIRST | BODY | AFTER_SPACE);
    mark("0123456789", BODY | AFTER_SPACE);
    mark("_/(", FIRST | BODY | AFTER_SPACE);
    mark(".", BODY | AFTER_SPACE);
    mark("<", FIRST | BODY);
    mark(")@%+=>-", BODY);
}

/* Whether a short text could be `null`, `true`, `off`, `<<` and the like: its letters, in order, out of these groups. */
static int is_ambiguous(const Py_UCS1 *text, Py_ssize_t length)
{
    static const char *groups[] = {"nNyYtTfFoO<", "uUeErRaAnNfFoO<", "lLsSuU", "lLsSeEfF", "eE"};
    Py_ssize_t at = 0;
    int group;
    if (length > 5 || !strchr(groups[0], text[0])) return 0;
    for (at = 1, group = 1; group < 5 && at < length; group++)
        if (strchr(groups[group], text[at])) at++;
    return at == length;
}

/* Whether a text, which this does not check, is such a word. */
int plait_is_usual(PyObject *text)
{
    const Py_UCS1 *letters;
    Py_ssize_t length, at;
    if (!PyUnicode_IS_ASCII(text)) return 0;
    letters = PyUnicode_1BYTE_DATA(text);
    length = PyUnicode_GET_LENGTH(text);
    if (!length || !(classes[letters[0]] & FIRST)) return 0;
    for (at = 1; at < length; at++) {
        if (classes[letters[at]] & BODY) continue;
        at++;
        if (letters[at - 1] != ' ' || at == length || !(classes[letters[at]] & AFTER_SPACE)) return 0;
    }
    return !is_ambiguous(letters, length);
}

PyObject *plait_is_word(PyObject *text)
{
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "is_word takes a text");
        return NULL;
    }
    return PyBool_FromLong(plait_is_usual(text));
}

PyObject *plait_ends_at(PyObject *text, Py_ssize_t start)
{
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = start;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_UCS4 letter;
    if (start < 0) Py_RETURN_FALSE;
    while (at < length && ((letter = PyUnicode_READ(kind, data, at)) == ' ' || letter == '\t')) at++;
    if (at >= length) Py_RETURN_TRUE;
    letter = PyUnicode_READ(kind, data, at);
    if (letter == '\n' || letter == '\r' || letter == ',' || letter == ']' || letter == '}') Py_RETURN_TRUE;
    if (letter == '#') return PyBool_FromLong(at > start);
    if (letter != ':') Py_RETURN_FALSE;
    return PyBool_FromLong(at + 1 >= length || Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at + 1)));
}
