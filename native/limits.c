/* What the kernel of Linux enforces on this process: the same as src/plait/access/kernel.py does through ctypes, in two
   calls. A test refuses every number of its tables with both. Each function returns why it could not, or None. */
#define _GNU_SOURCE
#include "scan.h"

#ifdef PLAIT_LIMITS
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#define OTHER_NUMBERS 0x40000000 /* from here on, system calls of another way to call x86-64 */
#else
#define MACHINE AUDIT_ARCH_AARCH64
#endif
#define TSYNC 1
#define ACCESS_REFUSED (0x00050000 | 13)
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, BY_PATH = 1, ASK_VERSION = 1 };

static const uint32_t powers[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_bpf, SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot,
    SYS_unshare, SYS_setns, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_userfaultfd, SYS_perf_event_open,
    SYS_init_module, SYS_finit_module, SYS_kexec_load, SYS_open_by_handle_at,
    425, 426, 427, /* io_uring, which a filter does not see */
    428, 429, 430, 432, 433, 442, /* mounts */
    438, /* pidfd_getfd */
};
static const uint32_t commands[] = {SYS_execve, SYS_execveat};
static const uint32_t connections[] = {SYS_socket, SYS_connect};
#define COUNT(list) (sizeof list / sizeof *list)

/* Rights of Landlock, as linux/landlock.h has them, which old systems lack. */
#define EXECUTE (1ULL << 0)
#define WRITE_FILE (1ULL << 1)
#define READ_FILE (1ULL << 2)
#define READ_FOLDER (1ULL << 3)
#define TRUNCATE (1ULL << 14)
#define READ (READ_FILE | READ_FOLDER)
#define MAKE_AND_REMOVE                                                                                                  \
    (1ULL << 4 | 1ULL << 5 | 1ULL << 7 | 1ULL << 8 | 1ULL << 9 | 1ULL << 10 | 1ULL << 12 | 1ULL << 13)
#define CHANGE (WRITE_FILE | TRUNCATE | MAKE_AND_REMOVE)
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE)

static PyObject *why(const char *text)
{
    if (!text) Py_RETURN_NONE;
    return PyUnicode_FromString(text);
}

static int give_up_privileges(void)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

static size_t refuse(struct sock_filter *tests, size_t count, const uint32_t *numbers, size_t more)
{
    for (size_t at = 0; at < more; at++) tests[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[at], 0, 0);
    return count;
}

PyObject *plait_limit_calls(int may_run, int may_connect)
{
    struct sock_filter program[COUNT(powers) + COUNT(commands) + COUNT(connections) + 6];
    struct sock_filter *tests = program + 3;
    size_t count = 0;
#ifdef OTHER_NUMBERS
    tests[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, 0, 0);
#endif
    count = refuse(tests, count, powers, COUNT(powers));
    if (!may_run) count = refuse(tests, count, commands, COUNT(commands));
    if (!may_connect) count = refuse(tests, count, connections, COUNT(connections));
    for (size_t at = 0; at < count; at++) tests[at].jt = (unsigned char)(count - at);
    program[0] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    program[1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 0, (unsigned char)(count + 2));
    program[2] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    tests[count] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0x7FFF0000);
    tests[count + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, ACCESS_REFUSED);
    struct sock_fprog filter = {(unsigned short)(count + 5), program};
    if (give_up_privileges()) return why("the kernel refuses `no_new_privs`");
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, TSYNC, &filter)) return why("this kernel has no seccomp filters, or refuses them");
    return why(NULL);
}

static void allow(int rules, const char *path, uint64_t rights)
{
    struct stat found;
    struct { uint64_t rights; int32_t handle; } __attribute__((packed)) rule = {rights, open(path, O_PATH | O_CLOEXEC)};
    if (rule.handle < 0) return; /* there is no such file or folder */
    if (fstat(rule.handle, &found) == 0) {
        if (!S_ISDIR(found.st_mode)) rule.rights &= OF_FILES;
        syscall(ADD_RULE, rules, BY_PATH, &rule, 0);
    }
    close(rule.handle);
}

static int allow_all(int rules, PyObject *paths, uint64_t rights)
{
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(paths); at++) {
        PyObject *path = NULL;
        if (PyUnicode_FSConverter(PyList_GET_ITEM(paths, at), &path)) {
            allow(rules, PyBytes_AS_STRING(path), rights);
            Py_DECREF(path);
        } else if (PyErr_ExceptionMatches(PyExc_ValueError)) {
            PyErr_Clear(); /* a text that names no file */
        } else {
            return -1;
        }
    }
    return 0;
}

PyObject *plait_limit_files(PyObject *reads, PyObject *writes, PyObject *runs)
{
    long version = syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
    if (version < 1) return why("this kernel has no Landlock, or it is not enabled");
    uint64_t handled = (1ULL << (version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13)) - 1;
    uint64_t attributes[] = {handled, 3}; /* the second: connect and bind */
    long rules = syscall(CREATE_RULESET, attributes, version >= 4 ? 16 : 8, 0);
    if (rules < 0) return why("the kernel refuses rules of Landlock");
    const char *trouble = NULL;
    int failed = allow_all((int)rules, reads, READ & handled) || allow_all((int)rules, writes, (READ | CHANGE) & handled)
                 || allow_all((int)rules, runs, (READ | EXECUTE) & handled);
    if (!failed && give_up_privileges()) trouble = "the kernel refuses `no_new_privs`";
    else if (!failed && syscall(RESTRICT_SELF, rules, 0)) trouble = "the kernel refuses to apply Landlock";
    close((int)rules);
    return failed ? NULL : why(trouble);
}
#endif
