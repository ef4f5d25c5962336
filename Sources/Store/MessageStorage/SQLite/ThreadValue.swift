internal import Foundation

/// A value that holds on one thread for as long as something is done there.
///
/// Not a task-local value: on Linux those crash outside of tasks where Swift's runtime is linked statically. Nor one of
/// Foundation's dictionary of a thread, whose keys are strings and whose values are cast: setting one
/// took some 20,000 instructions.
final class ThreadValue<Value: AnyObject>: Sendable {
  private let key: pthread_key_t

  /// Creates a value that holds nowhere yet. It is never let go of.
  init() {
    var key = pthread_key_t()
    // A process has 1,024 of them (PTHREAD_KEYS_MAX), and this program asks for two as it starts.
    guard pthread_key_create(&key, nil) == 0 else { preconditionFailure("no value of threads is left") }
    self.key = key
  }

  /// The innermost value of this thread; `nil` if there is none.
  var current: Value? {
    pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Has a value hold while something is done on this thread, and then what held before.
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
