// Package s3 stores objects in buckets of Amazon S3 or of a compatible server.
//
// Clients upload and download at presigned addresses and never through this service. A presigned PUT bounds the key,
// the time and, if required, the media type. It cannot bound a size that is unknown at signing, so Seal measures the
// upload, and refuses and removes one that is too long. Uploads go to a key that only Seal reads.
//
// The service requires no media type of uploads. One of the two responses with an upload address has no field for
// headers, so its clients could not know the header and would get 403. A required type would have no benefit: the
// client's name for the type is not stored, Seal stores mediaType, and the first bytes decide the format.
//
// An address ends no later than the credentials that signed it. Temporary ones are replaced renewal before their end.
// An address from them may therefore have a shorter life than requested; SignedURL.ExpiresAt gives its end.
//
// Every request is tried several times with growing pauses, and abandoned if the server is silent for silence. Errors
// name the bucket and the key, never the credentials or a signed address.
package s3

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go/logging"

	"millwright.dev/millwright/core/service/object"
	"millwright.dev/millwright/core/service/record"
)

var _ object.Store = (*Objects)(nil)

// Options are the settings of New.
type Options struct {
	// Endpoint is the address of the server; "" is Amazon's of the region. At an endpoint of one's own the
	// bucket is part of the path, since few have a name for each bucket.
	Endpoint string
	// PublicEndpoint is the address that clients reach the server at, where it is another one; presigned
	// addresses begin with it.
	PublicEndpoint string
	Region         string   // default: from the environment or the profile, else us-east-1
	Buckets        []string // required buckets
	Create         bool     // make the buckets that are missing

	// AccessKey and Secret are explicit credentials; if either is missing, see identify.
	AccessKey    string
	Secret       string
	SessionToken string // of temporary credentials; else ""

	// Clock that addresses are signed by, which S3 verifies by its own; nil: the wall clock.
	Clock record.Clock
	Log   *slog.Logger // nil: slog.Default()

	provider aws.CredentialsProvider // set by identify
}

const (
	defaultRegion = "us-east-1"

	dialTime  = 5 * time.Second
	silence   = 2 * time.Minute // of a server after which a request is given up; a large copy takes a while
	tries     = 5               // of a request
	maxPause  = 5 * time.Second // between tries
	firstTry  = 10 * time.Second
	mediaType = "application/octet-stream" // of every stored object; download addresses set another one
)

// Objects is object.Store on S3.
type Objects struct {
	client  *s3.Client
	signer  *s3.PresignClient
	options Options

	presigner clocked // of signer
}

// New checks the options without a request to the server.
func New(o Options) (*Objects, error) {
	if err := o.validate(); err != nil {
		return nil, err
	}
	if err := o.identify(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		o.Clock = record.SystemClock{}
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	s := &Objects{options: o, client: newClient(o, o.Endpoint), presigner: clocked{v4.NewSigner(), o.Clock}}
	public := s.client
	if o.PublicEndpoint != "" {
		public = newClient(o, o.PublicEndpoint)
	}
	s.signer = s3.NewPresignClient(public)
	return s, nil
}

// Check is Ping for a start: a server that does not answer is no error but a line in the log, since it may
// come back; one that refuses, or lacks a bucket that may not be made, is, and so is to have no credentials.
func (s *Objects) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, firstTry)
	defer cancel()
	if _, err := s.credentials(ctx); err != nil {
		return err
	}
	err := s.Ping(ctx)
	if err == nil || answered(err) {
		return err
	}
	s.options.Log.Warn("objects: the store does not answer; continuing without it", "error", err)
	return nil
}

// validate reports everything wrong with the options.
func (o Options) validate() error {
	var errs []error
	for name, text := range map[string]string{"endpoint": o.Endpoint, "public endpoint": o.PublicEndpoint} {
		u, err := url.Parse(text)
		if text != "" && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
			u.User != nil || u.RawQuery != "" || u.Fragment != "") {
			errs = append(errs, fmt.Errorf("objects: the %s is not of the form https://host[:port]", name))
		}
	}
	if (o.AccessKey == "") != (o.Secret == "") {
		errs = append(errs, errors.New("objects: of the access key and its secret one is missing"))
	}
	for _, b := range o.Buckets {
		if err := (object.Ref{Bucket: b, Key: "k"}).Validate(); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func newClient(o Options, endpoint string) *s3.Client {
	settings := s3.Options{
		Region:      o.Region,
		Credentials: o.provider,
		HTTPClient: awshttp.NewBuildableClient().
			WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTime }).
			WithTransportOptions(func(t *http.Transport) { t.DisableCompression = true }).
			WithReadTimeout(silence),
		Retryer: retry.NewStandard(func(r *retry.StandardOptions) {
			r.MaxAttempts, r.MaxBackoff = tries, maxPause
		}),
		// The body's SHA-256 is signed already; newer checksums are more than some servers know.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
		Logger:                     logging.Nop{},
	}
	if endpoint != "" {
		settings.BaseEndpoint, settings.UsePathStyle = aws.String(strings.TrimSuffix(endpoint, "/")), true
	}
	return s3.New(settings)
}

// Ping returns an error unless the server answers and has the buckets. It creates missing buckets where permitted.
func (s *Objects) Ping(ctx context.Context) error {
	for _, b := range s.options.Buckets {
		_, err := s.client.HeadBucket(ctx, &s3.HeadBucketInput{Bucket: &b})
		switch {
		case err == nil:
		case !isStatus(err, http.StatusNotFound):
			return fmt.Errorf("objects: bucket %s: %w", b, err)
		case !s.options.Create:
			return fmt.Errorf("objects: there is no bucket %s; create it, or allow this service to: %w", b, err)
		default:
			if err := s.create(ctx, b); err != nil {
				return fmt.Errorf("objects: create bucket %s: %w", b, err)
			}
		}
	}
	return nil
}

func (s *Objects) create(ctx context.Context, bucket string) error {
	in := &s3.CreateBucketInput{Bucket: &bucket}
	if s.options.Endpoint == "" && s.options.Region != defaultRegion { // which must not be named
		in.CreateBucketConfiguration = &types.CreateBucketConfiguration{
			LocationConstraint: types.BucketLocationConstraint(s.options.Region),
		}
	}
	_, err := s.client.CreateBucket(ctx, in)
	var mine *types.BucketAlreadyOwnedByYou // another process was quicker
	if errors.As(err, &mine) {
		return nil
	}
	return err
}

// SignPut implements object.Store. Seal enforces the limit of the size.
func (s *Objects) SignPut(ctx context.Context, ref object.Ref, terms object.PutConditions,
) (object.SignedURL, error) {
	if err := ref.Validate(); err != nil {
		return object.SignedURL{}, err
	}
	in := &s3.PutObjectInput{Bucket: &ref.Bucket, Key: &ref.Key}
	if terms.ContentType != "" {
		in.ContentType = &terms.ContentType
	}
	life, expires, err := s.lasting(ctx, terms.Life)
	if err != nil {
		return object.SignedURL{}, err
	}
	signed, err := s.signer.PresignPutObject(ctx, in, s.signing(life))
	if err != nil {
		return object.SignedURL{}, err
	}
	headers := map[string]string{}
	if terms.ContentType != "" {
		headers["Content-Type"] = terms.ContentType
	}
	return object.SignedURL{URL: signed.URL, Method: signed.Method, Headers: headers, ExpiresAt: expires}, nil
}

// SignGet implements object.Store.
func (s *Objects) SignGet(ctx context.Context, ref object.Ref, terms object.GetConditions,
) (object.SignedURL, error) {
	if err := ref.Validate(); err != nil {
		return object.SignedURL{}, err
	}
	in := &s3.GetObjectInput{
		Bucket: &ref.Bucket, Key: &ref.Key,
		ResponseContentType: aws.String(mediaType), ResponseCacheControl: aws.String("private"),
	}
	if terms.ContentType != "" {
		in.ResponseContentType = &terms.ContentType
	}
	if terms.FileName != "" {
		name := map[string]string{"filename": terms.FileName}
		in.ResponseContentDisposition = aws.String(mime.FormatMediaType("attachment", name))
	}
	life, expires, err := s.lasting(ctx, terms.Life)
	if err != nil {
		return object.SignedURL{}, err
	}
	signed, err := s.signer.PresignGetObject(ctx, in, s.signing(life))
	if err != nil {
		return object.SignedURL{}, err
	}
	return object.SignedURL{
		URL: signed.URL, Method: signed.Method, Headers: map[string]string{}, ExpiresAt: expires,
	}, nil
}

func (s *Objects) signing(life time.Duration) func(*s3.PresignOptions) {
	return func(o *s3.PresignOptions) {
		o.Expires = life
		o.Presigner = s.presigner
	}
}

// clocked signs by the service's clock.
type clocked struct {
	signer *v4.Signer
	clock  record.Clock
}

// PresignHTTP implements s3.HTTPPresignerV4.
func (c clocked) PresignHTTP(
	ctx context.Context, creds aws.Credentials, r *http.Request, payloadHash, name, region string, _ time.Time,
	options ...func(*v4.SignerOptions),
) (string, http.Header, error) {
	return c.signer.PresignHTTP(ctx, creds, r, payloadHash, name, region, c.clock.Now(), options...)
}
