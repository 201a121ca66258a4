package main

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestPaceOverThreeProcesses fires a thousand creations from eight clients at three services on one
// database. However they fall, no more than one slot per interval is taken, and refusals say when to come again.
func TestPaceOverThreeProcesses(t *testing.T) { onEachStore(t, fireCreations) }

func fireCreations(t *testing.T) {
	const (
		services, clients = 3, 8
		interval          = 250 * time.Millisecond
	)
	requests := int64(1000)
	if testing.Short() {
		requests = 200
	}
	data := t.TempDir()
	var bases []string
	for range services {
		bases = append(bases, serve(t, data, "--workers", "0", "--create-interval", interval.String()).base)
	}
	key := newKey(t, data)
	var sent, accepted, refused atomic.Int64
	var all sync.WaitGroup
	begun := time.Now()
	for i := range clients {
		all.Go(func() {
			for sent.Add(1) <= requests {
				req, err := http.NewRequest(http.MethodPost, bases[i%services]+"/parts",
					strings.NewReader(`{"fileName":"a.stp"}`))
				if err != nil {
					t.Error(err)
					return
				}
				req.Header.Set("Authorization", "Bearer "+key)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Error(err)
					return
				}
				_ = resp.Body.Close()
				wait, err := strconv.Atoi(resp.Header.Get("Retry-After"))
				switch {
				case resp.StatusCode == http.StatusCreated:
					accepted.Add(1)
				case resp.StatusCode == http.StatusTooManyRequests && err == nil && wait == 1:
					refused.Add(1)
				default:
					t.Errorf("%s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
				}
			}
		})
	}
	all.Wait()
	took := time.Since(begun)
	most := 1 + int64(took/interval)
	if n := accepted.Load(); n < 1 || n > most || n+refused.Load() != requests {
		t.Errorf("%d accepted and %d refused in %v, want at most %d accepted", n, refused.Load(), took, most)
	}
	t.Logf("%d of %d accepted in %v; %d slots had opened", accepted.Load(), requests, took, most)
}

// TestQuotaOfService checks that a service rejects requests over a quota from the environment.
func TestQuotaOfService(t *testing.T) { onEachStore(t, exceedQuota) }

func exceedQuota(t *testing.T) {
	t.Setenv("MILLWRIGHT_QUOTA_PROJECTS", "1")
	data := t.TempDir()
	base, key := serve(t, data, "--workers", "0").base, newKey(t, data)
	for _, want := range []int{http.StatusCreated, http.StatusTooManyRequests} {
		req, err := http.NewRequest(http.MethodPost, base+"/v1/projects", strings.NewReader(`{"name":"Gear"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s, want status %d", resp.Status, want)
		}
	}
}
