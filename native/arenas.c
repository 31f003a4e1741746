/* Where Python keeps small objects: in pieces of memory that the kernel may hand out in large pages. A command makes hundreds of
   thousands of them all over its memory, and with pages of 4 KB the processor waits for the tables of pages; so does whoever touches
   a page first. What is given back is given back to the system. */
#define _GNU_SOURCE
#include "scan.h"

#ifdef PLAIT_ARENAS
#include <stdint.h>
#include <sys/mman.h>

enum { PAGE = 2 << 20, PIECE = 32 << 20 };

static char *next, *end; /* what is left of the last piece; Python asks one thread at a time */

static char *mapped(size_t size)
{
    char *found = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return found == MAP_FAILED ? NULL : found;
}

static void *arena(void *context, size_t size)
{
    (void)context;
    if ((size_t)(end - next) < size) {
        char *piece = size <= PIECE ? mapped(PIECE + PAGE) : NULL;
        if (piece == NULL) return mapped(size); /* memory is scarce: no more than is asked for */
        if (end != next) munmap(next, (size_t)(end - next));
        next = (char *)(((uintptr_t)piece + PAGE - 1) & ~(uintptr_t)(PAGE - 1));
        end = next + PIECE;
        madvise(next, PIECE, MADV_HUGEPAGE); /* where the system has no large pages, it is as before */
    }
    void *found = next;
    next += size;
    return found;
}

static void give_back(void *context, void *arena, size_t size)
{
    (void)context;
    munmap(arena, size);
}

/* Arenas that Python has already were mapped, too, and are given back in the same way. */
void plait_large_pages(void)
{
    PyObjectArenaAllocator allocator = {NULL, arena, give_back};
    PyObject_SetArenaAllocator(&allocator);
}
#else
void plait_large_pages(void) {}
#endif
