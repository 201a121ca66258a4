package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/objects/local"
	"millwright.dev/millwright/adapters/objects/s3"
	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

// objectsFlags say where files and results are kept. The credentials of S3 come from the named file, else from where
// all programs of S3 look for them.
type objectsFlags struct {
	Objects                string `placeholder:"URL" help:"S3 buckets of files and results, s3://PREFIX[?endpoint=URL&region=NAME&create=true]; the buckets are PREFIX-sources and PREFIX-results (default: in the data folder)."`
	ObjectsPublicURL       string `placeholder:"URL" help:"Address that clients reach the S3 server at (default: its endpoint)."`
	ObjectsCredentialsFile string `type:"secretfile" placeholder:"FILE" help:"File with the lines aws_access_key_id = … and aws_secret_access_key = … (default: from where programs of S3 look: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, a role)."`
}

// objectStore is the store of objects, with the handler of their addresses and its check and close functions.
type objectStore struct {
	object.Store
	handler http.Handler                // of the addresses; nil when the store serves them itself
	check   func(context.Context) error // at the start of a process that needs the store
	close   func() error

	sourceBucket, resultBucket string // "" for the defaults
	origin                     string // of the addresses; "" when it is the service's, or is not configured
}

// maxPut is the longest object that S3 takes, and copies, in one request, bytes.
const maxPut = 5 << 30

// open opens the buckets, or the folder if no buckets are given. base is the address of the service. Addresses of the
// folder are signed and verified by the given clock. Addresses of buckets are signed by the clock of the process. S3
// verifies them by its own clock, and accepts up to 15 minutes of advance; a slow clock makes them expire earlier by
// its delay.
func (f objectsFlags) open(dir, base string, maxUpload int64, clock record.Clock) (*objectStore, error) {
	if f.Objects == "" {
		if f.ObjectsPublicURL != "" || f.ObjectsCredentialsFile != "" {
			return nil, errors.New("--objects-public-url and --objects-credentials-file say nothing without --objects")
		}
		return openFolder(dir, base, clock)
	}
	options, prefix, err := f.parse()
	if err != nil {
		return nil, err
	}
	if maxUpload > maxPut {
		return nil, fmt.Errorf("--max-upload: S3 takes at most %d MB in one upload", maxPut/megabyte)
	}
	if options.AccessKey, options.Secret, options.SessionToken, err = f.credentials(); err != nil {
		return nil, err
	}
	out := &objectStore{
		sourceBucket: prefix + "-sources", resultBucket: prefix + "-results",
		close: func() error { return nil },
	}
	options.Buckets = []string{out.sourceBucket, out.resultBucket}
	options.PublicEndpoint = f.ObjectsPublicURL
	out.origin = originOf(options.PublicEndpoint, options.Endpoint)
	buckets, err := s3.New(options)
	if err != nil {
		return nil, err
	}
	out.Store, out.check = buckets, buckets.Check
	return out, nil
}

func openFolder(dir, base string, clock record.Clock) (*objectStore, error) {
	folder, err := local.Open(local.Options{
		Dir: filepath.Join(dir, "objects"), BaseURL: base + objectsPath, MountPath: objectsPath, ServiceURL: base,
		Clock: clock,
	})
	if err != nil {
		return nil, err
	}
	return &objectStore{
		Store: folder, handler: folder.Handler(), close: folder.Close,
		check: func(context.Context) error { return nil },
	}, nil
}

// parse parses s3://PREFIX?…; an unknown setting is an error, because a misspelled one would go unnoticed.
func (f objectsFlags) parse() (s3.Options, string, error) {
	u, err := url.Parse(f.Objects)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
		return s3.Options{}, "", errors.New(
			"--objects must look like s3://PREFIX?endpoint=URL&region=NAME; credentials come from the environment or a file")
	}
	settings, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return s3.Options{}, "", fmt.Errorf("--objects: %w", err)
	}
	options := s3.Options{}
	for name, values := range settings {
		value := values[len(values)-1]
		switch name {
		case "endpoint":
			options.Endpoint = value
		case "region":
			options.Region = value
		case "create":
			if options.Create, err = strconv.ParseBool(value); err != nil {
				return s3.Options{}, "", errors.New("--objects: create is true or false")
			}
		default:
			return s3.Options{}, "", fmt.Errorf("--objects: there is no setting %q; there are endpoint, region and create", name)
		}
	}
	return options, u.Host, nil
}

// credentials returns the access key, its secret and the token of temporary credentials, from the file or else from the
// environment. Incomplete credentials in the environment are an error and must not lead to another source. All are ""
// if the store has to find them.
func (f objectsFlags) credentials() (key, secret, token string, err error) {
	if f.ObjectsCredentialsFile == "" {
		return os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN"), nil
	}
	file, err := os.Open(f.ObjectsCredentialsFile)
	if err != nil {
		return "", "", "", fmt.Errorf("--objects-credentials-file: %w", err)
	}
	defer func() { _ = file.Close() }() // only read
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(name) {
		case "aws_access_key_id":
			key = value
		case "aws_secret_access_key":
			secret = value
		case "aws_session_token":
			token = value
		}
	}
	if err = lines.Err(); err == nil && (key == "" || secret == "") {
		err = errors.New("the file has to hold an access key and its secret, aws_access_key_id = … and " +
			"aws_secret_access_key = …")
	}
	if err != nil {
		return "", "", "", fmt.Errorf("--objects-credentials-file: %w", err)
	}
	return key, secret, token, nil
}
