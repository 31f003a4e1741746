/* The reference that an expression of dynaml is as a whole: what `_cut` of plait.notations.dynaml.parse says in Python. */
#include "scan.h"

static int is_letter(Py_UCS4 c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(Py_UCS4 c) { return c >= '0' && c <= '9'; }

typedef struct {
    int kind;
    const void *data;
    Py_ssize_t at, end;
} Cursor;

static Py_UCS4 next(const Cursor *self) { return self->at < self->end ? PyUnicode_READ(self->kind, self->data, self->at) : 0; }

static void skip_blanks(Cursor *self)
{
    while (self->at < self->end && Py_UNICODE_ISSPACE(next(self))) self->at++;
}

/* One step: a name, or `[0]` after the first; 0 where there is none. */
static int skip_step(Cursor *self, int first)
{
    Py_ssize_t begin = self->at;
    if (!first && next(self) == '[') {
        self->at++;
        while (is_digit(next(self))) self->at++;
        Py_ssize_t digits = self->at - begin - 1;
        if (digits < 1 || digits > 9 || next(self) != ']') return 0;
        self->at++;
        return 1;
    }
    if (!is_letter(next(self)) && (first || !is_digit(next(self)))) return 0;
    while (is_letter(next(self)) || is_digit(next(self)) || next(self) == '-') self->at++;
    return 1;
}

/* (where it begins, its steps, whether it begins at the root), or None. */
PyObject *plait_reference(PyObject *text, Py_ssize_t start, Py_ssize_t end)
{
    Cursor self = {PyUnicode_KIND(text), PyUnicode_DATA(text), start, end};
    if (start < 0 || end > PyUnicode_GET_LENGTH(text)) {
        PyErr_SetString(PyExc_ValueError, "the text is not so long");
        return NULL;
    }
    skip_blanks(&self);
    Py_ssize_t begin = self.at;
    int rooted = next(&self) == '.', more = 1, first = 1;
    self.at += rooted;
    PyObject *steps = PyList_New(0);
    while (steps != NULL && more) {
        Py_ssize_t from = self.at;
        if (!skip_step(&self, first)) Py_CLEAR(steps);
        PyObject *step = steps == NULL ? NULL : PyUnicode_Substring(text, from, self.at);
        if (steps != NULL && (step == NULL || PyList_Append(steps, step) < 0)) Py_CLEAR(steps);
        Py_XDECREF(step);
        first = 0;
        more = next(&self) == '.';
        self.at += more;
    }
    skip_blanks(&self);
    PyObject *found = steps == NULL || self.at < self.end ? NULL : PyList_AsTuple(steps);
    Py_XDECREF(steps);
    if (PyErr_Occurred()) return NULL;
    if (found == NULL) Py_RETURN_NONE;
    return Py_BuildValue("nNO", begin - start, found, rooted ? Py_True : Py_False);
}
