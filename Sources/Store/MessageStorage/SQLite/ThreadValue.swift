internal import Foundation

/// A value for a thread during a call.
///
/// Task-local values crash outside of tasks on Linux where Swift's runtime is linked statically. Foundation's
/// thread dictionary has string keys and casts, some 20,000 instructions to set a value.
final class ThreadValue<Value: AnyObject>: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    // A process has 1,024 of them (PTHREAD_KEYS_MAX), and this program makes two at its start.
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no value of threads is left") }
    self.key = key
  }

  var current: Value? {
    pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  func with<Result, Failure: Error>(
    _ value: Value?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, value.map { UnsafeMutableRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    defer {
      // The value lives until here.
      withExtendedLifetime(value) { _ = pthread_setspecific(key, outer) }
    }
    return try body()
  }
}
