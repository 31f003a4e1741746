/* Another line at a place of a printed map: what `MemberEdit` of plait.fronts.stacks.answers.section_text says in Python.
 *
 * Only for texts in ASCII, and where the text shows plainly what has to be done: None leaves it to Python.
 */
#include "scan.h"

#include <string.h>

typedef struct {
    const char *text;
    Py_ssize_t count;
} Letters;

/* The letters of a text; 0 where it is none, or has others than those of ASCII. */
static int letters(PyObject *text, Letters *found)
{
    if (text == NULL || !PyUnicode_CheckExact(text) || !PyUnicode_IS_ASCII(text)) return 0;
    found->text = (const char *)PyUnicode_1BYTE_DATA(text);
    found->count = PyUnicode_GET_LENGTH(text);
    return 1;
}

/* Where some letters are in a part of a text; -1 if they are not. */
static Py_ssize_t find(const Letters *text, const Letters *part, Py_ssize_t start, Py_ssize_t end)
{
    if (part->count == 0 || end - start < part->count) return -1;
    const char *at = text->text + start, *last = text->text + end - part->count;
    while (at <= last && (at = memchr(at, part->text[0], (size_t)(last - at) + 1)) != NULL) {
        if (memcmp(at, part->text, (size_t)part->count) == 0) return at - text->text;
        at++;
    }
    return -1;
}

static int begins(const Letters *text, const Letters *part, Py_ssize_t at, Py_ssize_t end)
{
    return end - at >= part->count && memcmp(text->text + at, part->text, (size_t)part->count) == 0;
}

static int closes(char sign) { return sign == ']' || sign == '}'; }

/* The line end before the next line that is not empty and begins before a column; with `members`, also one that begins at it and
 * closes no bracket. The end of the part where there is none. */
static Py_ssize_t next_line(const Letters *text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t column, int members)
{
    const char *letter = text->text;
    for (Py_ssize_t at = start; at < end; at++) {
        const char *found = memchr(letter + at, '\n', (size_t)(end - at));
        if (found == NULL) return end;
        Py_ssize_t first = at = found - letter;
        do first++;
        while (first < end && letter[first] == ' ' && first - at <= column);
        Py_ssize_t indent = first - at - 1;
        if (first >= end || letter[first] == ' ' || letter[first] == '\n') continue;
        if (indent < column || (members && indent == column && !closes(letter[first]))) return at;
    }
    return end;
}

static int is_name(char sign)
{
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z') || (sign >= '0' && sign <= '9') || sign == '_' || sign == '-';
}

/* The key that begins at a place: a text in quotes without escapes, or a word; 0 where it is neither, or may be no text. */
static int key_at(const Letters *text, Py_ssize_t at, Py_ssize_t end, Letters *key)
{
    static const char *const others[] = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"};
    const char *letter = text->text;
    int quoted = letter[at] == '"';
    Py_ssize_t first = at + quoted, last = first;
    if (quoted) while (last < end && letter[last] != '"' && letter[last] != '\\') last++;
    else if ((letter[at] >= '0' && letter[at] <= '9') || letter[at] == '-') return 0;
    else while (last < end && is_name(letter[last])) last++;
    Py_ssize_t colon = last + quoted;
    if (last == first || colon + 1 >= end || (quoted && letter[last] != '"') || letter[colon] != ':') return 0;
    if (letter[colon + 1] != ' ' && letter[colon + 1] != '\n') return 0;
    key->text = letter + first;
    key->count = last - first;
    for (size_t one = 0; !quoted && one < sizeof others / sizeof *others; one++)
        if ((size_t)key->count == strlen(others[one]) && PyOS_mystrnicmp(key->text, others[one], key->count) == 0) return 0;
    return 1;
}

static int is_after(const Letters *key, const Letters *other)
{
    Py_ssize_t shared = key->count < other->count ? key->count : other->count;
    int order = memcmp(key->text, other->text, (size_t)shared);
    return order > 0 || (order == 0 && key->count > other->count);
}

/* The place of a new member of a map in a part of a text: before the first one whose key comes after its own, or the end; -1 where
 * a key before that may be no text. */
static Py_ssize_t new_place(const Letters *text, Py_ssize_t start, Py_ssize_t end, Py_ssize_t column, const Letters *key)
{
    for (Py_ssize_t at = next_line(text, start, end, column, 1); at < end; at = next_line(text, at + 1, end, column, 1)) {
        Letters other;
        Py_ssize_t first = at + 1 + column;
        if (first >= end || text->text[first] == ' ' || text->text[first] == '\n' || !key_at(text, first, end, &other)) return -1;
        if (is_after(&other, key)) return at;
    }
    return end;
}

/* A text with other letters instead of a part of it. */
static PyObject *with_part(const Letters *text, Py_ssize_t at, Py_ssize_t after, const Letters *one, const Letters *two)
{
    PyObject *made = PyUnicode_New(text->count - (after - at) + one->count + two->count, 127);
    if (made == NULL) return NULL;
    char *into = (char *)PyUnicode_1BYTE_DATA(made);
    const Letters parts[] = {{text->text, at}, *one, *two, {text->text + after, text->count - after}};
    for (size_t part = 0; part < sizeof parts / sizeof *parts; part++) {
        memcpy(into, parts[part].text, (size_t)parts[part].count);
        into += parts[part].count;
    }
    return made;
}

/* edit_member(text, above, head, column, line, between, key): see `MemberEdit.apply`. `above` has the head, the beginning and the column
 * of each map on the way. */
PyObject *plait_edit_member(PyObject *const *given)
{
    Letters text, head, line, between, key, step, begin;
    PyObject *above = given[1];
    Py_ssize_t start = 0, column = PyLong_AsSsize_t(given[3]);
    if (column == -1 && PyErr_Occurred()) return NULL;
    if (!letters(given[0], &text) || !letters(given[2], &head) || !letters(given[4], &line) || !letters(given[5], &between) ||
        !letters(given[6], &key))
        Py_RETURN_NONE;
    Py_ssize_t end = text.count;
    for (Py_ssize_t one = 0; one < PyTuple_GET_SIZE(above); one++) {
        PyObject *row = PyTuple_GET_ITEM(above, one);
        if (!PyTuple_CheckExact(row) || PyTuple_GET_SIZE(row) != 3) Py_RETURN_NONE;
        Py_ssize_t below = PyLong_AsSsize_t(PyTuple_GET_ITEM(row, 2));
        if (below == -1 && PyErr_Occurred()) return NULL;
        if (!letters(PyTuple_GET_ITEM(row, 0), &step) || !letters(PyTuple_GET_ITEM(row, 1), &begin)) Py_RETURN_NONE;
        Py_ssize_t at = find(&text, &step, start, end);
        if (at < 0) Py_RETURN_NONE;
        start = at + step.count;
        if (!begins(&text, &begin, start, text.count)) Py_RETURN_NONE;
        start += begin.count;
        if (start >= text.count || text.text[start] != '\n') Py_RETURN_NONE;
        end = next_line(&text, start, end, below, 0);
    }
    Py_ssize_t at = find(&text, &head, start, end), after = at;
    const Letters nothing = {"", 0};
    if (at >= 0) {
        after = next_line(&text, at + head.count, end, column, 1);
        return with_part(&text, at, after, &line, after < end ? &between : &nothing);
    }
    at = new_place(&text, start, end, column, &key);
    if (at < 0) Py_RETURN_NONE;
    return at < end ? with_part(&text, at, at, &line, &between) : with_part(&text, at, at, &between, &line);
}
