/* Text to the columns of a program.
 *
 * This reads the YAML that nearly all files are written in, by the rules of YAML 1.2. It does not guess: whatever is unusual,
 * ambiguous or wrong makes it give up, and the Python reader takes the text. There is no recursion; what is open is an array.
 */
#ifndef PLAIT_SCAN_H
#define PLAIT_SCAN_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

enum { PLAIN, TEXT, MAP, SEQ, END, ALIAS, PROPS = 8 };
enum { BRACKET = 1, ODD = 2 };  /* of a step: it is between brackets; its text is not just what is written at its places */

typedef struct {
    unsigned char *kinds;
    Py_ssize_t *ats, *ends;
    PyObject **texts;      /* owned; NULL stands for None */
    Py_ssize_t count, room;
    PyObject *props;       /* dict: step -> (tag, anchor) */
} Columns;

PyObject *plait_scan(PyObject *text, Py_ssize_t depth, int places);
PyObject *plait_build(PyObject *arguments);
PyObject *plait_cut(PyObject *arguments);
PyObject *plait_prepare(PyObject *arguments);
void plait_prepare_words(void);
PyObject *plait_is_word(PyObject *text);
int plait_is_usual(PyObject *text);
PyObject *plait_emit(PyObject *arguments);
PyObject *plait_ends_at(PyObject *text, Py_ssize_t start);
PyObject *plait_known_texts(PyObject *keys, PyObject *entries, PyObject *table, PyObject *missing);
PyObject *plait_union(PyObject *group, PyObject *instead, PyTypeObject *mark);
PyObject *plait_reference(PyObject *text, Py_ssize_t start, Py_ssize_t end);
PyObject *plait_merge(PyObject *group, PyObject *policy, PyObject *instead, PyTypeObject *mark, PyObject *make);
PyObject *plait_soon_equal(PyObject *one, PyObject *other, int levels);
PyObject *plait_differing(PyObject *arguments);
PyObject *plait_unlike(PyObject *entries, PyObject *others, int levels);
PyObject *plait_spans(PyObject *kinds, PyObject *texts, Py_ssize_t start);
PyObject *plait_split_map(PyObject *arguments);
PyObject *plait_written(PyObject *root, PyObject *source);
PyObject *plait_plain_rows(PyObject *arguments);
PyObject *plait_origins(PyObject *nodes, PyObject *plain, PyObject *other);
PyObject *plait_longest(PyObject *text, PyObject *rows);
PyObject *plait_beside(PyObject *text, PyObject *rows, PyObject *notes, Py_ssize_t width, PyObject *before);
void plait_large_pages(void);
PyObject *plait_limit_calls(int may_run, int may_connect);
PyObject *plait_limit_files(PyObject *reads, PyObject *writes, PyObject *runs);
#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define PLAIT_LIMITS /* limits.c has the numbers of these machines */
#define PLAIT_ARENAS /* arenas.c knows how large their pages are */
#endif

#endif
