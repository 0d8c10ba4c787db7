// What is used of NVIDIA's management library, by its versioned functions, whose meaning does not change.
#include <stddef.h>

// Codes of NVML that are told apart, and one of ours.
enum { nvml_success = 0, nvml_insufficient_size = 7, nvml_driver_not_loaded = 9, nvml_library_not_found = 12, nvml_function_not_found = 13 };

typedef struct {
	unsigned long long total, free, used;
} nvml_memory;

typedef struct {
	unsigned int pid;
	unsigned long long used;
	unsigned int gpu_instance, compute_instance;
} nvml_process;

// nvml_open loads the library at path and starts it.
int nvml_open(const char *path);
void nvml_close(void);
int nvml_count(unsigned int *count);
int nvml_device(unsigned int index, void **device);
int nvml_uuid(void *device, char *text, unsigned int size);
int nvml_name(void *device, char *text, unsigned int size);
int nvml_memory_of(void *device, nvml_memory *memory);
// nvml_processes lists up to *count processes that compute, or draw, and sets *count to how many there are.
int nvml_processes(void *device, int draw, unsigned int *count, nvml_process *processes);
