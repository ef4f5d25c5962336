import Foundation
import Testing

/// Has tests wait on threads of their own: those of tasks are as many as the computer has, and the server's tasks need them.
struct Waiting: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(Threads.shared) { try await function() }
  }

  /// A few threads: each test waits on one.
  private final class Threads: TaskExecutor {
    static let shared = Threads()
    private let queue: OperationQueue

    private init() {
      queue = OperationQueue()
      queue.maxConcurrentOperationCount = 3
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == Waiting {
  static var waiting: Waiting { Waiting() }
}
