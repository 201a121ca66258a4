/* A headless OpenGL context through a libEGL that is looked for at run time. */
#ifndef MILLWRIGHT_EGL_H
#define MILLWRIGHT_EGL_H

typedef struct {
	void *display, *context, *surface;
} mw_context;

/* mw_load opens the library and its entry points; NULL or what went wrong. Calling it again is free. */
const char *mw_load(const char *library);

/* mw_devices writes up to most device handles and returns how many; software[i] is 1 for a renderer on the
   processor, 0 for hardware. */
int mw_devices(void **devices, int *software, int most);

/* mw_create makes a context for a device, or for Mesa's surfaceless platform when device is NULL, current on
   the calling thread; NULL or what went wrong. */
const char *mw_create(void *device, mw_context *out);

/* mw_destroy undoes mw_create on the same thread. */
void mw_destroy(mw_context *c);

/* mw_proc finds a function of OpenGL. */
void *mw_proc(const char *name);

#endif
