package device

// The pauses between two looks for a lost device.
const (
	RetryFirst = retryFirst
	RetryMost  = retryMost
)
