//go:build gpu

/* The few types and numbers of EGL 1.5 that are used (Khronos EGL registry), so that no header of EGL is
   needed to build. */
#include "egl.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef void *(*get_proc)(const char *);
typedef unsigned (*query_devices)(int, void **, int *);
typedef const char *(*query_device_string)(void *, int);
typedef void *(*get_platform_display)(unsigned, void *, const int *);
typedef unsigned (*initialize)(void *, int *, int *);
typedef unsigned (*terminate)(void *);
typedef const char *(*query_string)(void *, int);
typedef unsigned (*bind_api)(unsigned);
typedef unsigned (*choose_config)(void *, const int *, void **, int, int *);
typedef void *(*create_context)(void *, void *, void *, const int *);
typedef void *(*create_pbuffer)(void *, void *, const int *);
typedef unsigned (*make_current)(void *, void *, void *, void *);
typedef unsigned (*destroy)(void *, void *);
typedef unsigned (*release_thread)(void);
typedef int (*get_error)(void);

enum {
	EGL_EXTENSIONS = 0x3055,
	EGL_NONE = 0x3038,
	EGL_SURFACE_TYPE = 0x3033,
	EGL_PBUFFER_BIT = 1,
	EGL_RENDERABLE_TYPE = 0x3040,
	EGL_OPENGL_BIT = 8,
	EGL_WIDTH = 0x3057,
	EGL_HEIGHT = 0x3056,
	EGL_OPENGL_API = 0x30A2,
	EGL_CONTEXT_MAJOR_VERSION = 0x3098,
	EGL_CONTEXT_MINOR_VERSION = 0x30FB,
	EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
	EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 1,
	EGL_CONTEXT_OPENGL_ROBUST_ACCESS = 0x31B2,
	EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY = 0x31BD,
	EGL_LOSE_CONTEXT_ON_RESET = 0x31BF,
	EGL_PLATFORM_DEVICE_EXT = 0x313F,
	EGL_PLATFORM_SURFACELESS_MESA = 0x31DD,
};

static struct {
	void *library;
	get_proc proc;
	query_devices devices;
	query_device_string device_string;
	get_platform_display display;
	initialize init;
	terminate term;
	query_string string;
	bind_api bind;
	choose_config config;
	create_context context;
	create_pbuffer pbuffer;
	make_current current;
	destroy destroy_context, destroy_surface;
	release_thread release;
	get_error error;
} egl;

static __thread char text[256];

static const char *failure(const char *what) {
	snprintf(text, sizeof text, "%s: EGL error 0x%x", what, egl.error());
	return text;
}

static int has(const char *list, const char *word) {
	size_t n = strlen(word);
	for (const char *p = list; p && (p = strstr(p, word)); p += n)
		if ((p == list || p[-1] == ' ') && (p[n] == ' ' || p[n] == 0)) return 1;
	return 0;
}

const char *mw_load(const char *library) {
	if (egl.library) return NULL;
	void *l = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	if (!l) {
		snprintf(text, sizeof text, "%s", dlerror());
		return text;
	}
#define FIND(field, name)                                                 \
	if (!(*(void **)&egl.field = dlsym(l, name))) {                   \
		snprintf(text, sizeof text, "%s has no %s", library, name); \
		dlclose(l);                                               \
		return text;                                              \
	}
	FIND(proc, "eglGetProcAddress")
	FIND(init, "eglInitialize")
	FIND(term, "eglTerminate")
	FIND(string, "eglQueryString")
	FIND(bind, "eglBindAPI")
	FIND(config, "eglChooseConfig")
	FIND(context, "eglCreateContext")
	FIND(pbuffer, "eglCreatePbufferSurface")
	FIND(current, "eglMakeCurrent")
	FIND(destroy_context, "eglDestroyContext")
	FIND(destroy_surface, "eglDestroySurface")
	FIND(release, "eglReleaseThread")
	FIND(error, "eglGetError")
#undef FIND
	/* Extensions of the client: a pointer alone proves nothing, the list does. */
	const char *ext = egl.string(NULL, EGL_EXTENSIONS);
	if (has(ext, "EGL_EXT_platform_base"))
		egl.display = (get_platform_display)egl.proc("eglGetPlatformDisplayEXT");
	if (has(ext, "EGL_EXT_device_base") || has(ext, "EGL_EXT_device_enumeration")) {
		egl.devices = (query_devices)egl.proc("eglQueryDevicesEXT");
		egl.device_string = (query_device_string)egl.proc("eglQueryDeviceStringEXT");
	}
	if (!egl.display) {
		snprintf(text, sizeof text, "%s has no EGL_EXT_platform_base", library);
		dlclose(l);
		return text;
	}
	egl.library = l;
	return NULL;
}

int mw_devices(void **devices, int *software, int most) {
	int n = 0;
	if (!egl.devices || !egl.devices(most, devices, &n)) return 0;
	for (int i = 0; i < n; i++)
		software[i] = egl.device_string &&
			has(egl.device_string(devices[i], EGL_EXTENSIONS), "EGL_MESA_device_software");
	return n;
}

/* context makes an OpenGL 4.3 core context, one that tells when it was reset where the driver can. */
static void *context(void *display, void *config) {
	const int robust[] = {
		EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
		EGL_CONTEXT_OPENGL_ROBUST_ACCESS, 1,
		EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE};
	const int bare[] = {
		EGL_CONTEXT_MAJOR_VERSION, 4, EGL_CONTEXT_MINOR_VERSION, 3,
		EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
	void *c = egl.context(display, config, NULL, robust);
	return c ? c : egl.context(display, config, NULL, bare);
}

static const char *create(void *display, mw_context *out) {
	const char *ext = egl.string(display, EGL_EXTENSIONS);
	const int with_pbuffer[] = {
		EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	const int any[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
	void *config = NULL;
	int n = 0;
	if (!egl.bind(EGL_OPENGL_API)) return failure("OpenGL is not offered");
	int pbuffer = egl.config(display, with_pbuffer, &config, 1, &n) && n > 0;
	if (!pbuffer && !(egl.config(display, any, &config, 1, &n) && n > 0)) config = NULL;
	if (!config && !has(ext, "EGL_KHR_no_config_context")) return failure("no frame buffer format");
	if (!(out->context = context(display, config))) return failure("no OpenGL 4.3 core context");
	if (has(ext, "EGL_KHR_surfaceless_context") && egl.current(display, NULL, NULL, out->context)) return NULL;
	const int size[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
	if (pbuffer && (out->surface = egl.pbuffer(display, config, size)) &&
		egl.current(display, out->surface, out->surface, out->context))
		return NULL;
	return failure("the context cannot be made current");
}

const char *mw_create(void *device, mw_context *out) {
	memset(out, 0, sizeof *out);
	int major, minor;
	out->display = device
		? egl.display(EGL_PLATFORM_DEVICE_EXT, device, NULL)
		: has(egl.string(NULL, EGL_EXTENSIONS), "EGL_MESA_platform_surfaceless")
			? egl.display(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL) : NULL;
	if (!out->display) return failure("no display for it");
	if (!egl.init(out->display, &major, &minor)) {
		out->display = NULL;
		return failure("it does not start");
	}
	const char *error = create(out->display, out);
	if (error) mw_destroy(out);
	return error;
}

void mw_destroy(mw_context *c) {
	if (!c->display) return;
	egl.current(c->display, NULL, NULL, NULL);
	if (c->surface) egl.destroy_surface(c->display, c->surface);
	if (c->context) egl.destroy_context(c->display, c->context);
	egl.term(c->display);
	egl.release();
	memset(c, 0, sizeof *c);
}

void *mw_proc(const char *name) {
	return egl.proc ? egl.proc(name) : NULL;
}

/* go-gl asks for functions by one of these; defining them here keeps libGL out of what the program needs to
   start. */
__attribute__((visibility("hidden"))) void *glXGetProcAddress(const unsigned char *name) {
	return mw_proc((const char *)name);
}
__attribute__((visibility("hidden"))) void *eglGetProcAddress(const char *name) {
	return mw_proc(name);
}
