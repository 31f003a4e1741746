/* Two maps of documents compared by what is written in them, without a node of either: what is written alike is equal.
 *
 * Both are plain maps, as build.c leaves them for later: text keys, each once, and no tags, anchors or aliases.
 */
#include "scan.h"

#include <string.h>

enum { MOST_ALONE = 64 };  /* so many keys that only one of the two has are put up with */

typedef struct {
    PyObject *whole, *odd;              /* borrowed: the text, and the texts that are not in it as they are */
    Py_buffer kinds, ats, ends, pairs, marks;
    Py_ssize_t count, length;
} Steps;

static int number(const Py_buffer *column, Py_ssize_t step) { return ((const int32_t *)column->buf)[step]; }

static int kind_of(const Steps *self, Py_ssize_t step) { return ((const unsigned char *)self->kinds.buf)[step]; }

static int column(PyObject *given, Py_buffer *into, Py_ssize_t wanted)
{
    if (PyObject_GetBuffer(given, into, PyBUF_SIMPLE) < 0) return 0;
    if (into->len == wanted) return 1;
    PyErr_SetString(PyExc_ValueError, "the columns differ in length");
    return 0;
}

/* Takes (kinds, ats, (text, odd, shared, ends, pairs, marks)). */
static int read_steps(Steps *self, PyObject *columns)
{
    PyObject *kinds, *ats, *shared, *ends, *pairs, *marks;
    if (!PyArg_ParseTuple(columns, "OO(UO!OOOO)", &kinds, &ats, &self->whole, &PyDict_Type, &self->odd, &shared, &ends, &pairs, &marks)
        || PyObject_GetBuffer(kinds, &self->kinds, PyBUF_SIMPLE) < 0) return 0;
    self->count = self->kinds.len;
    self->length = PyUnicode_GET_LENGTH(self->whole);
    Py_ssize_t wide = self->count * (Py_ssize_t)sizeof(int32_t);
    return column(ats, &self->ats, wide) && column(ends, &self->ends, wide) && column(pairs, &self->pairs, wide)
        && column(marks, &self->marks, self->count);
}

static void release(Steps *self)
{
    PyBuffer_Release(&self->kinds);
    PyBuffer_Release(&self->ats);
    PyBuffer_Release(&self->ends);
    PyBuffer_Release(&self->pairs);
    PyBuffer_Release(&self->marks);
}

/* Where the text of a step is in the whole, quotes aside; 0 for one that is not written as it is read. */
static int span_of(const Steps *self, Py_ssize_t step, Py_ssize_t *start, Py_ssize_t *end)
{
    int quote = kind_of(self, step) == TEXT;
    *start = number(&self->ats, step) + quote;
    *end = number(&self->ends, step) - quote;
    int odd = ((const char *)self->marks.buf)[step] & ODD;
    return !odd && *start >= 0 && *start <= *end && *end <= self->length;
}

/* The text of a step that is not written as it is read; NULL for any other, without an exception. */
static PyObject *odd_text(const Steps *self, Py_ssize_t step)
{
    PyObject *number = PyLong_FromSsize_t(step);
    PyObject *text = number == NULL ? NULL : PyDict_GetItem(self->odd, number);
    Py_XDECREF(number);
    PyErr_Clear();
    return text != NULL && PyUnicode_Check(text) ? text : NULL;
}

/* Whether two scalars of one kind have one text. */
static int same_text(const Steps *a, Py_ssize_t i, const Steps *b, Py_ssize_t j)
{
    Py_ssize_t start, end, from, to;
    int plain = span_of(a, i, &start, &end);
    if (plain != span_of(b, j, &from, &to)) return 0;
    if (!plain) {
        PyObject *one = odd_text(a, i), *other = odd_text(b, j);
        return one != NULL && other != NULL && PyUnicode_GET_LENGTH(one) == PyUnicode_GET_LENGTH(other)
            && PyUnicode_Tailmatch(one, other, 0, PY_SSIZE_T_MAX, -1) == 1;
    }
    if (end - start != to - from) return 0;
    int width = PyUnicode_KIND(a->whole);
    const char *left = PyUnicode_DATA(a->whole), *right = PyUnicode_DATA(b->whole);
    if (width == (int)PyUnicode_KIND(b->whole)) return memcmp(left + start * width, right + from * width, (size_t)((end - start) * width)) == 0;
    while (start < end)
        if (PyUnicode_READ_CHAR(a->whole, start++) != PyUnicode_READ_CHAR(b->whole, from++)) return 0;
    return 1;
}

/* The last step of a value; -1 where the columns are wrong. */
static Py_ssize_t last_of(const Steps *self, Py_ssize_t step)
{
    int kind = kind_of(self, step);
    if (kind <= TEXT) return step;
    if (kind != MAP && kind != SEQ) return -1;
    Py_ssize_t last = number(&self->pairs, step);
    return last > step && last < self->count ? last : -1;
}

/* Whether two values are written alike. */
static int same_value(const Steps *a, Py_ssize_t i, const Steps *b, Py_ssize_t j)
{
    Py_ssize_t last = last_of(a, i), other = last_of(b, j);
    if (last < 0 || other < 0 || last - i != other - j) return 0;
    for (; i <= last; i++, j++) {
        int kind = kind_of(a, i);
        if (kind != kind_of(b, j) || kind > END || (kind <= TEXT && !same_text(a, i, b, j))) return 0;
    }
    return 1;
}

/* The key after the one at a step; the last step of the map after its last one, and -1 where the columns are wrong. */
static Py_ssize_t next_key(const Steps *self, Py_ssize_t key, Py_ssize_t last)
{
    Py_ssize_t end = key + 1 < last && kind_of(self, key) <= TEXT ? last_of(self, key + 1) : -1;
    return end < 0 || end >= last ? -1 : end + 1;
}

static int same_key(const Steps *a, Py_ssize_t i, const Steps *b, Py_ssize_t j)
{
    if (kind_of(a, i) == kind_of(b, j)) return same_text(a, i, b, j);
    Py_ssize_t start, end, from, to;  /* a key with quotes and one without */
    if (!span_of(a, i, &start, &end) || !span_of(b, j, &from, &to) || end - start != to - from) return 0;
    while (start < end)
        if (PyUnicode_READ_CHAR(a->whole, start++) != PyUnicode_READ_CHAR(b->whole, from++)) return 0;
    return 1;
}

/* Note a field that is not the same: its key, and the steps of its value on both sides (-1: it is not there). */
static int note(PyObject *rows, const Steps *self, Py_ssize_t key, Py_ssize_t here, Py_ssize_t there)
{
    Py_ssize_t start, end;
    if (!span_of(self, key, &start, &end)) {
        PyErr_SetString(PyExc_ValueError, "a key is not as it is read");
        return 0;
    }
    PyObject *row = Py_BuildValue("(Nnn)", PyUnicode_Substring(self->whole, start, end), here, there);
    int fine = row != NULL && PyList_Append(rows, row) == 0;
    Py_XDECREF(row);
    return fine;
}

/* The fields in which two maps differ; 1, 0 where it cannot be told, -1 for an exception. */
static int compare(const Steps *a, Py_ssize_t i, Py_ssize_t last, const Steps *b, Py_ssize_t j, Py_ssize_t end, PyObject *rows)
{
    Py_ssize_t only_here[MOST_ALONE], only_there[MOST_ALONE], here = 0, there = 0;
    while (i < last) {
        Py_ssize_t next = next_key(a, i, last), other = j;
        if (next < 0) return 0;
        while (other < end && !same_key(a, i, b, other))
            if ((other = next_key(b, other, end)) < 0) return 0;
        if (other >= end) {
            if (here == MOST_ALONE) return 0;
            only_here[here++] = i;
            if (!note(rows, a, i, i + 1, -1)) return -1;
        } else {
            for (; j < other; j = next_key(b, j, end)) {
                if (there == MOST_ALONE) return 0;
                only_there[there++] = j;
            }
            if (!same_value(a, i + 1, b, j + 1) && !note(rows, a, i, i + 1, j + 1)) return -1;
            if ((j = next_key(b, j, end)) < 0) return 0;
        }
        i = next;
    }
    while (j < end) {
        if (there == MOST_ALONE) return 0;
        only_there[there++] = j;
        if ((j = next_key(b, j, end)) < 0) return 0;
    }
    for (Py_ssize_t one = 0; one < there; one++) {
        for (Py_ssize_t other = 0; other < here; other++)
            if (same_key(a, only_here[other], b, only_there[one])) return 0;  /* they are in another order */
        if (!note(rows, b, only_there[one], -1, only_there[one] + 1)) return -1;
    }
    return 1;
}

/* differing(columns, step, others, other_step): the fields in which two maps differ, those of the first in their order, then those
 * that only the other has: (key, step of the value, step of the other value). None where it cannot be told. */
PyObject *plait_differing(PyObject *arguments)
{
    Steps a = {0}, b = {0};
    PyObject *one, *other, *rows = NULL;
    Py_ssize_t i, j;
    if (!PyArg_ParseTuple(arguments, "O!nO!n:differing", &PyTuple_Type, &one, &i, &PyTuple_Type, &other, &j)) return NULL;
    if (read_steps(&a, one) && read_steps(&b, other)) {
        if (i < 0 || j < 0 || i >= a.count || j >= b.count || kind_of(&a, i) != MAP || kind_of(&b, j) != MAP) {
            PyErr_SetString(PyExc_ValueError, "there is no map at a step");
        } else if ((rows = PyList_New(0)) != NULL) {
            Py_ssize_t last = last_of(&a, i), end = last_of(&b, j);
            int found = last < 0 || end < 0 ? 0 : compare(&a, i + 1, last, &b, j + 1, end, rows);
            if (found < 0) Py_CLEAR(rows);
            else if (!found) Py_SETREF(rows, Py_NewRef(Py_None));
        }
    }
    release(&a);
    release(&b);
    return rows;
}
