#include "arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	STEP = 16,               // blocks up to SMALL bytes have sizes that are multiples of it, larger ones powers of two
	SMALL = 1024,
	CLASSES = SMALL / STEP + 1 + 64,
	CHUNK = 512 << 10,
	KEPT = 4,                // chunks that stay when an arena is cleared
};

// Block is what stands in front of a block, and in a free one.
typedef struct Block {
	uint64_t class;
	struct Block *next; // of the free blocks of the class; the block itself begins here
} Block;

enum { HEAD = offsetof(Block, next) };

typedef struct Chunk {
	struct Chunk *next;
	size_t size;
} Chunk;

struct Arena {
	Chunk *chunks; // the one that blocks are cut from first
	Chunk *spare;
	char *at, *end;
	Block *free[CLASSES];
};

static __thread Arena *current;

static void *all_or_abort(void *memory, size_t size) {
	if (memory == NULL) {
		fprintf(stderr, "torchleak: no memory for %zu bytes\n", size);
		abort();
	}
	return memory;
}

static size_t class_of(size_t size) {
	if (size <= SMALL) {
		return (size + STEP - 1) / STEP;
	}
	return SMALL / STEP + 64 - (size_t)__builtin_clzll(size - 1);
}

static size_t size_of(size_t class) {
	return class <= SMALL / STEP ? class * STEP : (size_t)1 << (class - SMALL / STEP);
}

static void more(Arena *a, size_t size) {
	Chunk *c = a->spare;
	if (c != NULL && size <= c->size) {
		a->spare = c->next;
	} else {
		if (size < CHUNK) {
			size = CHUNK;
		}
		c = all_or_abort(malloc(sizeof *c + size), size);
		c->size = size;
	}
	c->next = a->chunks;
	a->chunks = c;
	a->at = (char *)(c + 1);
	a->end = a->at + c->size;
}

Arena *arena_new(void) { return calloc(1, sizeof(Arena)); }

void arena_use(Arena *a) { current = a; }

void arena_clear(Arena *a) {
	Chunk *spare = a->spare;
	int kept = 0;
	for (Chunk *c = spare; c != NULL; c = c->next) {
		kept++;
	}
	for (Chunk *c = a->chunks, *next; c != NULL; c = next) {
		next = c->next;
		if (c->size == CHUNK && kept < KEPT) {
			c->next = spare;
			spare = c;
			kept++;
		} else {
			free(c);
		}
	}
	memset(a, 0, sizeof *a);
	a->spare = spare;
}

void *arena_malloc(size_t size) {
	Arena *a = current;
	size_t class = class_of(size);
	Block *b = a->free[class];
	if (b != NULL) {
		a->free[class] = b->next;
		return &b->next;
	}
	size_t whole = HEAD + size_of(class ? class : 1);
	if ((size_t)(a->end - a->at) < whole) {
		more(a, whole);
	}
	b = (Block *)a->at;
	a->at += whole;
	b->class = class;
	return &b->next;
}

void *arena_calloc(size_t count, size_t size) { return memset(arena_malloc(count * size), 0, count * size); }

void arena_free(void *block) {
	if (block != NULL) {
		Block *b = (Block *)((char *)block - HEAD);
		b->next = current->free[b->class];
		current->free[b->class] = b;
	}
}

void *arena_realloc(void *block, size_t size) {
	if (block == NULL) {
		return arena_malloc(size);
	}
	size_t class = ((Block *)((char *)block - HEAD))->class, had = size_of(class);
	if (class_of(size) == class) {
		return block;
	}
	void *other = memcpy(arena_malloc(size), block, had < size ? had : size);
	arena_free(block);
	return other;
}
