#include "nvml.h"

#include <dlfcn.h>

static void *library;

// find returns a function of the library, NULL where it has none of that name.
static void *find(const char *name) { return library ? dlsym(library, name) : NULL; }

int nvml_open(const char *path) {
	library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
	if (!library)
		return nvml_library_not_found;
	int (*init)(void) = (int (*)(void))find("nvmlInit_v2");
	int code = init ? init() : nvml_function_not_found;
	if (code != nvml_success) {
		dlclose(library);
		library = NULL;
	}
	return code;
}

void nvml_close(void) {
	int (*shutdown)(void) = (int (*)(void))find("nvmlShutdown");
	if (shutdown)
		shutdown();
	if (library)
		dlclose(library);
	library = NULL;
}

int nvml_count(unsigned int *count) {
	int (*f)(unsigned int *) = (int (*)(unsigned int *))find("nvmlDeviceGetCount_v2");
	return f ? f(count) : nvml_function_not_found;
}

int nvml_device(unsigned int index, void **device) {
	int (*f)(unsigned int, void **) = (int (*)(unsigned int, void **))find("nvmlDeviceGetHandleByIndex_v2");
	return f ? f(index, device) : nvml_function_not_found;
}

static int text_of(const char *function, void *device, char *text, unsigned int size) {
	int (*f)(void *, char *, unsigned int) = (int (*)(void *, char *, unsigned int))find(function);
	return f ? f(device, text, size) : nvml_function_not_found;
}

int nvml_uuid(void *device, char *text, unsigned int size) { return text_of("nvmlDeviceGetUUID", device, text, size); }

int nvml_name(void *device, char *text, unsigned int size) { return text_of("nvmlDeviceGetName", device, text, size); }

int nvml_memory_of(void *device, nvml_memory *memory) {
	int (*f)(void *, nvml_memory *) = (int (*)(void *, nvml_memory *))find("nvmlDeviceGetMemoryInfo");
	return f ? f(device, memory) : nvml_function_not_found;
}

int nvml_processes(void *device, int draw, unsigned int *count, nvml_process *processes) {
	// The older of the two has the same layout; drivers before 450 know neither, and tell no processes.
	const char *names[2][2] = {
		{"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"},
		{"nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2"},
	};
	for (int i = 0; i < 2; i++) {
		int (*f)(void *, unsigned int *, nvml_process *) = (int (*)(void *, unsigned int *, nvml_process *))find(names[!!draw][i]);
		if (f)
			return f(device, count, processes);
	}
	return nvml_function_not_found;
}
