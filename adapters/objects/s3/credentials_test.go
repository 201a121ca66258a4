package s3

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/objects/s3/s3test"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record/recordtest"
)

// nowhere removes the credentials from all usual sources.
func nowhere(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent")
	for name, value := range map[string]string{
		"AWS_CONFIG_FILE": absent, "AWS_SHARED_CREDENTIALS_FILE": absent, "AWS_EC2_METADATA_DISABLED": "true",
		"AWS_ACCESS_KEY_ID": "", "AWS_ACCESS_KEY": "", "AWS_SECRET_ACCESS_KEY": "", "AWS_SECRET_KEY": "",
		"AWS_SESSION_TOKEN": "", "AWS_PROFILE": "", "AWS_DEFAULT_PROFILE": "",
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "", "AWS_ROLE_ARN": "", "AWS_WEB_IDENTITY_TOKEN_FILE": "",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": "", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "",
	} {
		t.Setenv(name, value)
	}
}

func write(t *testing.T, text string) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// issuer starts a server that responds to every request with the result of answer.
func issuer(t *testing.T, answer func(r *http.Request) (status int, body string)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, body := answer(r)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// issued is the response of the issuers of containers and machines.
func issued(ends time.Time) string {
	return fmt.Sprintf(`{"Code":"Success","Type":"AWS-HMAC","AccessKeyId":%q,"SecretAccessKey":%q,
		"Token":"t","Expiration":%q}`, s3test.AccessKey, s3test.Secret, ends.UTC().Format(time.RFC3339))
}

// webIdentity is a pod of Kubernetes with a role: its token is exchanged for credentials.
func webIdentity(t *testing.T) {
	const token = "the token of the pod"
	address := issuer(t, func(r *http.Request) (int, string) {
		if r.FormValue("Action") != "AssumeRoleWithWebIdentity" || r.FormValue("WebIdentityToken") != token ||
			r.FormValue("RoleArn") != "arn:aws:iam::123456789012:role/shop" {
			return http.StatusForbidden, ""
		}
		return http.StatusOK, fmt.Sprintf(`<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult>
			<Credentials><AccessKeyId>%s</AccessKeyId><SecretAccessKey>%s</SecretAccessKey>
			<SessionToken>t</SessionToken><Expiration>%s</Expiration></Credentials>
			</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`,
			s3test.AccessKey, s3test.Secret, time.Now().Add(time.Hour).UTC().Format(time.RFC3339))
	})
	t.Setenv("AWS_ENDPOINT_URL_STS", address)
	t.Setenv("AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/shop")
	t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", write(t, token))
}

// machine is one of EC2 with a role.
func machine(t *testing.T) {
	t.Setenv("AWS_EC2_METADATA_DISABLED", "false")
	t.Setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", issuer(t, func(r *http.Request) (int, string) {
		switch r.URL.Path {
		case "/latest/api/token":
			return http.StatusOK, "a token"
		case "/latest/meta-data/iam/security-credentials/":
			return http.StatusOK, "shop"
		case "/latest/meta-data/iam/security-credentials/shop":
			return http.StatusOK, issued(time.Now().Add(6 * time.Hour))
		}
		return http.StatusNotFound, ""
	}))
}

// container is one of ECS, or a pod of EKS, with a role.
func container(ends time.Time) func(*testing.T) {
	return func(t *testing.T) {
		t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", issuer(t, func(*http.Request) (int, string) {
			return http.StatusOK, issued(ends)
		}))
	}
}

const shared = "[shop]\nregion = " + s3test.Region + "\naws_access_key_id = " + s3test.AccessKey +
	"\naws_secret_access_key = " + s3test.Secret + "\n"

// TestWhereCredentialsAreFound uses each of the usual places on a server that checks signatures.
func TestWhereCredentialsAreFound(t *testing.T) {
	server := s3test.New(t)
	wrong := func(t *testing.T) { // credentials in a source that must not be used
		t.Setenv("AWS_ACCESS_KEY_ID", "nobody")
		t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	}
	for _, c := range []struct {
		name  string
		place func(*testing.T)
		given bool // in the options
		token bool // of temporary credentials, which the server knows in headers and not in addresses
	}{
		{"the options, before the environment", wrong, true, false},
		{"environment", func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", s3test.AccessKey)
			t.Setenv("AWS_SECRET_ACCESS_KEY", s3test.Secret)
		}, false, false},
		{"profile of the shared file", func(t *testing.T) {
			t.Setenv("AWS_SHARED_CREDENTIALS_FILE", write(t, shared))
			t.Setenv("AWS_PROFILE", "shop")
		}, false, false},
		{"web identity", webIdentity, false, true},
		{"role of the container", container(time.Now().Add(time.Hour)), false, true},
		{"role of the machine", machine, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			nowhere(t)
			c.place(t)
			o := options(server)
			if !c.given {
				o.AccessKey, o.Secret = "", ""
			}
			s := open(t, o)
			put(t, s, at("a"), c.name)
			if got := content(t, s, at("a")); string(got) != c.name {
				t.Errorf("read %q", got)
			}
			down, err := s.SignGet(t.Context(), at("a"), object.GetConditions{Life: 15 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if c.token {
				if !strings.Contains(down.URL, "X-Amz-Security-Token=t&") {
					t.Errorf("the address carries no token: %s", down.URL)
				}
				return
			}
			res, err := client().Get(down.URL)
			if err != nil {
				t.Fatal(err)
			}
			if _ = res.Body.Close(); res.StatusCode != http.StatusOK {
				t.Errorf("download: %s", res.Status)
			}
		})
	}
}

func TestStartWithoutCredentials(t *testing.T) {
	server := s3test.New(t)
	refuses := func(*http.Request) (int, string) { return http.StatusForbidden, s3test.Secret }
	for _, c := range []struct {
		name  string
		place func(*testing.T)
		want  string
	}{
		{"nowhere", func(*testing.T) {}, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"},
		{"half in the environment", func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", s3test.AccessKey)
		}, "were found"},
		{"no such profile", func(t *testing.T) { t.Setenv("AWS_PROFILE", "absent") }, "absent"},
		{"refused role", func(t *testing.T) {
			webIdentity(t)
			t.Setenv("AWS_ENDPOINT_URL_STS", issuer(t, refuses))
		}, "AssumeRoleWithWebIdentity"},
		{"no token", func(t *testing.T) {
			webIdentity(t)
			t.Setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(t.TempDir(), "absent"))
		}, "no such file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			nowhere(t)
			c.place(t)
			o := options(server)
			o.AccessKey, o.Secret = "", ""
			_, err := start(t.Context(), o)
			if err == nil || !strings.Contains(err.Error(), c.want) || secretIn(err.Error()) {
				t.Errorf("start = %v, want an error with %q and without the secret", err, c.want)
			}
		})
	}
}

// TestAddressEndsWithItsCredentials signs with credentials that end before the address would.
func TestAddressEndsWithItsCredentials(t *testing.T) {
	now := time.Now().Truncate(time.Second)
	for _, c := range []struct {
		name       string
		left, want time.Duration // 0: refused
	}{
		{"longer than the address", time.Hour, 15 * time.Minute},
		{"as long as the address", 15 * time.Minute, 15 * time.Minute},
		{"shorter", 7 * time.Minute, 7 * time.Minute},
		{"within the renewal", time.Minute, time.Minute},
		{"ended", -time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			nowhere(t)
			container(now.Add(c.left))(t)
			s, err := New(Options{Clock: recordtest.NewClock(now)})
			if err != nil {
				t.Fatal(err)
			}
			up, errUp := s.SignPut(t.Context(), at("a"), object.PutConditions{Life: 15 * time.Minute})
			down, errDown := s.SignGet(t.Context(), at("a"), object.GetConditions{Life: 15 * time.Minute})
			if c.want == 0 {
				if !errors.Is(errUp, ErrNoCredentials) || !errors.Is(errDown, ErrNoCredentials) {
					t.Errorf("SignPut, SignGet = %v, %v", errUp, errDown)
				}
				return
			}
			for _, signed := range []object.SignedURL{up, down} {
				u, err := url.Parse(signed.URL)
				if err := errors.Join(err, errUp, errDown); err != nil {
					t.Fatal(err)
				}
				if got := u.Query().Get("X-Amz-Expires"); got != fmt.Sprint(c.want.Seconds()) {
					t.Errorf("the address lives %s s, want %v", got, c.want)
				}
				if !signed.ExpiresAt.Equal(now.Add(c.want)) {
					t.Errorf("ExpiresAt = %v, want %v", signed.ExpiresAt, now.Add(c.want))
				}
			}
		})
	}
}

// TestCredentialsAreRenewed has the first ones end soon.
func TestCredentialsAreRenewed(t *testing.T) {
	nowhere(t)
	asked := 0
	t.Setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", issuer(t, func(*http.Request) (int, string) {
		asked++
		life := time.Hour
		if asked == 1 {
			life = renewal - time.Second
		}
		return http.StatusOK, issued(time.Now().Add(life))
	}))
	o := options(s3test.New(t))
	o.AccessKey, o.Secret = "", ""
	s := open(t, o)
	for range 3 {
		put(t, s, at("a"), "x")
	}
	if asked != 2 {
		t.Errorf("the issuer was asked %d times, want 2: soon after the first answer, and not again", asked)
	}
}

func TestRegion(t *testing.T) {
	for _, c := range []struct {
		name, option, environment, want string
	}{
		{"none", "", "", "us-east-1"},
		{"the environment's", "", "eu-central-1", "eu-central-1"},
		{"the option before it", "eu-west-1", "eu-central-1", "eu-west-1"},
	} {
		nowhere(t)
		t.Setenv("AWS_REGION", c.environment)
		s, err := New(Options{Region: c.option, AccessKey: "a", Secret: "b"})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.client.Options().Region; got != c.want {
			t.Errorf("%s: region %q, want %q", c.name, got, c.want)
		}
	}
}
