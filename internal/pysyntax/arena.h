#include <stddef.h>

// Arena is the memory of one parse at a time: the parser makes and drops millions of small blocks, and all that is left
// of them goes at once.
typedef struct Arena Arena;

// arena_new returns an empty arena, NULL where memory runs out.
Arena *arena_new(void);

// arena_use lets the parser's allocations in this thread come out of a until the next call; NULL ends that.
void arena_use(Arena *a);

// arena_clear drops all blocks of a, and keeps little memory for the next ones.
void arena_clear(Arena *a);

// What tree-sitter calls instead of malloc and its kin. Like its own they end the program where memory runs out.
void *arena_malloc(size_t size);
void *arena_calloc(size_t count, size_t size);
void *arena_realloc(void *block, size_t size);
void arena_free(void *block);
