import MessageModel

/// A source that reports no change: a list over it learns of one when it is told, and not before.
struct SilentSource: MessageSource {
  let base: any MessageSource

  func page(_ request: PageRequest) async throws -> Page { try await base.page(request) }

  func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
}
