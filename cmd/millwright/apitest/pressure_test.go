package apitest_test

import (
	"net/http"
	"testing"
)

// pressure restarts the server without workers and with capacity for one waiting job of a team, and requests more.
func (w *world) pressure(t *testing.T, binary string) {
	t.Run("pressure", func(t *testing.T) {
		key := w.newTeam(t)
		ready := w.uploaded(t, "", key)
		w.want(t, call{method: "POST", path: "/parts/" + ready + "/complete", key: key}, http.StatusAccepted, "")
		w.await(t, call{method: "GET", path: "/parts/" + ready, key: key}, func(r reply) bool {
			return r.StatusCode == http.StatusOK
		})
		result := decode[struct{ Features []struct{ FeatureID string } }](t,
			w.want(t, call{method: "GET", path: "/v1/parts/" + ready, key: key}, http.StatusOK, ""))
		plan := w.newPlan(t, "/v1", key, ready)
		w.server.Stop()
		w.serve(t, binary, "--workers", "0", "--max-queued-team", "1", "--create-interval", "0s")
		queue := func() string {
			part := w.uploaded(t, "", key)
			r := w.want(t, call{method: "POST", path: "/v1/parts/" + part + "/complete", key: key}, http.StatusAccepted, "")
			return decode[struct{ JobID string }](t, r).JobID
		}
		cancelled := queue()
		w.want(t, call{method: "POST", path: "/jobs/" + cancelled + "/cancel", key: key}, http.StatusAccepted, "")
		queue()
		next := map[string]string{}
		for _, face := range []string{"", "/v1"} {
			next[face] = w.uploaded(t, face, key)
		}
		// refused calls every operation that queues a job.
		refused := func(code string) {
			one := encode(t, map[string]any{"featureIds": []string{result.Features[0].FeatureID}})
			for face, part := range next {
				for _, in := range []call{
					{method: "POST", path: face + "/parts/" + part + "/complete", key: key},
					{method: "PATCH", path: face + "/parts/" + ready, key: key},
					{method: "POST", path: face + "/parts/" + ready + "/plans", key: key},
					{method: "POST", path: face + "/parts/" + ready + "/toolpaths", key: key},
					{method: "POST", path: face + "/parts/" + ready + "/programs", key: key},
					{method: "POST", path: "/v1/plans/" + plan + "/toolpaths", key: key},
					{method: "PATCH", path: face + "/parts/" + ready + "/features", key: key, body: one},
					{method: "POST", path: face + "/jobs/" + cancelled + "/retry", key: key},
				} {
					w.wantLater(t, in, code)
				}
			}
		}
		refused("rate_limited")
		other := w.newTeam(t)
		free := w.uploaded(t, "", other)
		w.want(t, call{method: "POST", path: "/parts/" + free + "/complete", key: other}, http.StatusAccepted, "")

		w.server.Stop()
		w.serve(t, binary, "--workers", "0", "--create-interval", "0s",
			"--quota-bytes", "1", "--quota-projects", "1", "--quota-queued", "1")
		refused("quota_exceeded")
		named := encode(t, map[string]any{"name": "first"})
		w.want(t, call{method: "POST", path: "/projects", key: key, body: named}, http.StatusCreated, "")
		for _, face := range []string{"", "/v1"} {
			w.wantLater(t, call{method: "POST", path: face + "/projects", key: key, body: named}, "quota_exceeded")
			w.wantLater(t, call{method: "POST", path: face + "/parts", key: key, body: encode(t, alone("plate.step"))}, "quota_exceeded")
		}
	})
}

// wantLater expects an error that gives the time of a retry.
func (w *world) wantLater(t *testing.T, in call, code string) {
	t.Helper()
	if r := w.want(t, in, http.StatusTooManyRequests, code); r.Header.Get("Retry-After") == "" {
		t.Errorf("%s %s: no Retry-After", in.method, in.path)
	}
}

// uploaded makes a part on a face and uploads its file.
func (w *world) uploaded(t *testing.T, face, key string) string {
	t.Helper()
	made, _ := w.create(t, face, key, alone("plate.step"))
	w.put(t, made.to, plate)
	return made.id
}
