@_exported public import HistoryModel
public import MessageStorage

extension MessageStore {
  /// Makes missing thumbnails and previews, one by one, and returns the number of pictures examined.
  ///
  /// - Parameters:
  ///   - maker: Makes them, one call at a time.
  ///   - limits: Their sizes, and what making one may cost.
  ///   - sha256: The content; `nil` for all that wait.
  ///   - progress: Called before each picture with the number done; returns whether to continue.
  /// - Throws: ``StoreError`` of kind `readOnly`, `busy`, `inputOutput`. A picture that cannot be made is no
  ///   error: its reason is recorded.
  @discardableResult
  public nonisolated(nonsending) func makePictures(
    by maker: some PictureMaker & Sendable, limits: PictureLimits = PictureLimits(),
    of sha256: [String]? = nil,
    progress: @escaping @Sendable (Int) -> Bool = { _ in true }
  ) async throws -> Int {
    try await chore { store in
      try store.makePictures(by: maker, limits: limits, of: sha256) {
        !SynchronousMessageStore.isCalledOff && progress($0)
      }
    }
  }
}
