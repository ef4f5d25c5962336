public import MessageInterchange
internal import MessageModel
public import MessageStorage

extension MessageStore {
  /// Returns an import as a sequence of steps; see
  /// ``importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)``.
  ///
  /// ```swift
  /// for try await step in store.importSteps(at: ["logs.tar.xz"]) {
  ///   switch step {
  ///   case .progress(let progress): show(progress.messageCount)
  ///   case .finished(let outcome): report(outcome)
  ///   }
  /// }
  /// ```
  ///
  /// It starts with the loop. Leaving the loop, or cancelling its task, ends the import after a whole batch
  /// or file.
  ///
  /// - Parameters:
  ///   - paths: Files, folders and archives.
  ///   - options: The options, with custom formats.
  ///   - maker: Makes thumbnails and previews of imported pictures; `nil` for none.
  public func importSteps(
    at paths: [String], options: ImportOptions = ImportOptions(),
    makingPicturesBy maker: (any PictureMaker)? = nil
  ) -> ImportSteps {
    ImportSteps { progress in
      try await self.importHistory(at: paths, options: options, makingPicturesBy: maker, progress: progress)
    }
  }
}

/// A step of an import.
public enum ImportStep: Hashable, Sendable {
  /// The progress so far.
  case progress(ImportProgress)
  /// The outcome, always the last step.
  case finished(HistoryImport)
}

/// An import as a sequence of steps: progress, then the outcome.
///
/// A slow consumer gets the newest progress, and always the outcome.
public struct ImportSteps: AsyncSequence, Sendable {
  public typealias Element = ImportStep
  public typealias Failure = any Error

  let run:
    @Sendable (_ progress: @escaping @Sendable (ImportProgress) -> Bool) async throws ->
      HistoryImport

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  /// Runs the import for one loop.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Element = ImportStep
    public typealias Failure = any Error

    private var steps: AsyncStream<Result<ImportStep, any Error>>.Iterator
    private var isOver = false

    init(_ sequence: ImportSteps) {
      // The last step stays buffered until it is read.
      let steps = AsyncStream<Result<ImportStep, any Error>>(bufferingPolicy: .bufferingNewest(1)) { steps in
        let task = Task {
          do {
            let outcome = try await sequence.run { progress in
              steps.yield(.success(.progress(progress)))
              return true
            }
            steps.yield(.success(.finished(outcome)))
          } catch {
            steps.yield(.failure(error))
          }
          steps.finish()
        }
        steps.onTermination = { _ in task.cancel() }
      }
      self.steps = steps.makeAsyncIterator()
    }

    /// Waits for the next step; returns `nil` after the outcome.
    ///
    /// - Throws: As ``MessageStore/importHistory(at:options:makingPicturesBy:progress:)-([String],_,_,_)``,
    ///   and `CancellationError` if the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> ImportStep? {
      if isOver { return nil }
      guard let step = await steps.next(isolation: actor) else {
        isOver = true
        throw CancellationError()
      }
      if case .success(.progress) = step {} else { isOver = true }
      return try step.get()
    }
  }
}
