// A library that answers as NVIDIA's does, for tests where there is no GPU: two devices, of which the first cannot be had. FAKE_INIT
// and FAKE_COUNT are the codes that it begins with; FAKE_PID is a process on the second device, beside forty others.
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned long long total, free, used; } memory;
typedef struct { unsigned int pid; unsigned long long used; unsigned int gpu, compute; } process;

static int number(const char *name) { const char *text = getenv(name); return text ? atoi(text) : 0; }

int nvmlInit_v2(void) { return number("FAKE_INIT"); }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned int *count) { *count = 2; return number("FAKE_COUNT"); }
int nvmlDeviceGetHandleByIndex_v2(unsigned int i, void **device) { *device = (void *)1; return i == 0 ? 4 : 0; }
int nvmlDeviceGetUUID(void *d, char *text, unsigned int size) { strncpy(text, "GPU-1", size); return d ? 0 : 2; }
int nvmlDeviceGetName(void *d, char *text, unsigned int size) { strncpy(text, "NVIDIA H200", size); return d ? 0 : 2; }
int nvmlDeviceGetMemoryInfo(void *d, memory *m) { m->total = 100; m->free = 60; m->used = 40; return d ? 0 : 2; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *d, unsigned int *count, process *all) {
	unsigned int room = *count;
	*count = 42;
	if (room < 42)
		return 7;
	for (int i = 0; i < 40; i++)
		all[i] = (process){.pid = 2000000000 + i, .used = 1};
	all[40] = (process){.pid = (unsigned int)number("FAKE_PID"), .used = 30};
	all[41] = (process){.pid = 1, .used = ~0ull};
	return d ? 0 : 2;
}
int nvmlDeviceGetGraphicsRunningProcesses_v2(void *d, unsigned int *count, process *all) {
	all[0] = (process){.pid = (unsigned int)number("FAKE_PID"), .used = 30};
	*count = 1;
	return d ? 0 : 2;
}
