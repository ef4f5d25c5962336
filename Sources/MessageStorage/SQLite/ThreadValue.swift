internal import Foundation

/// What holds on one thread for as long as something is done there.
///
/// Not a task-local value: on Linux those crash outside of tasks where Swift's runtime is linked statically.
enum ThreadValue {
  /// The innermost value of this thread; `nil` if there is none.
  static func value(forKey key: String) -> Any? { Thread.current.threadDictionary[key] }

  /// Has a value hold while something is done on this thread, and then what held before.
  static func with<Value, Failure: Error>(
    _ value: Any?, forKey key: String, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let values = Thread.current.threadDictionary
    let outer = values[key]
    values[key] = value
    defer { values[key] = outer }
    return try body()
  }
}
