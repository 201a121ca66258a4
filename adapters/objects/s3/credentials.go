package s3

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/smithy-go/logging"
)

// renewal is the time before their end at which temporary credentials are replaced. Instance roles offer the next ones
// five minutes early.
const renewal = 5 * time.Minute

// ErrNoCredentials reports that no source has credentials, or that their issuer refuses or does not answer.
var ErrNoCredentials = errors.New("objects: no credentials of S3 were found: name a file of them, or set " +
	"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile of the shared files (AWS_PROFILE) or a role of " +
	"the pod, the container or the machine")

// identify sets the signing credentials, and the region if the options have no region. Credentials in the options come
// first, then the usual sources of the SDK, in its order: environment, web identity (IRSA), shared files, container
// (EKS Pod Identity, ECS), machine (EC2). identify reads only files. The issuer of temporary credentials is asked at
// the first signed request, and again before they end.
func (o *Options) identify() error {
	settings := []func(*config.LoadOptions) error{
		config.WithLogger(logging.Nop{}),
		config.WithCredentialsCacheOptions(func(c *aws.CredentialsCacheOptions) { c.ExpiryWindow = renewal }),
	}
	if o.Region != "" {
		settings = append(settings, config.WithRegion(o.Region))
	}
	if o.AccessKey != "" {
		static := credentials.NewStaticCredentialsProvider(o.AccessKey, o.Secret, o.SessionToken)
		settings = append(settings, config.WithCredentialsProvider(static))
	}
	found, err := config.LoadDefaultConfig(context.Background(), settings...)
	if err != nil {
		return fmt.Errorf("objects: %w", err)
	}
	if o.Region = found.Region; o.Region == "" {
		o.Region = defaultRegion
	}
	o.provider = found.Credentials
	return nil
}

// credentials returns the current credentials, and requests them if they are unknown or expired.
func (s *Objects) credentials(ctx context.Context) (aws.Credentials, error) {
	c, err := s.options.provider.Retrieve(ctx)
	if err != nil {
		return aws.Credentials{}, fmt.Errorf("%w: %w", ErrNoCredentials, err)
	}
	return c, nil
}

// lasting is the life of an address signed now, which ends with the credentials at the latest, and its end.
func (s *Objects) lasting(ctx context.Context, life time.Duration) (time.Duration, time.Time, error) {
	c, err := s.credentials(ctx)
	if err != nil {
		return 0, time.Time{}, err
	}
	now := s.options.Clock.Now()
	if c.CanExpire {
		ends := c.Expires.Add(renewal) // which the cache has taken off
		if life = min(life, ends.Sub(now).Truncate(time.Second)); life < time.Second {
			return 0, time.Time{}, fmt.Errorf("%w: those at hand end at %s", ErrNoCredentials, ends.UTC())
		}
	}
	return life, now.Add(life).UTC().Truncate(time.Second), nil
}
