internal import MessageModel
internal import MessageStorage

/// Compares the number of messages read with the store's count: a damaged file may return fewer without an
/// error.
struct ReadCheck {
  private let store: SynchronousMessageStore
  private let selection: Selection
  private let offset: Int
  private let limit: Int?
  private let total: Int
  private let version: SourceVersion

  /// `nil` if the number of messages is not known from counts alone.
  init?(_ selection: Selection, of store: SynchronousMessageStore, offset: Int, limit: Int?) throws {
    guard selection.predicate == .everything else { return nil }
    let page = try store.page(PageRequest(selection, fetchLimit: 0))
    guard let counts = page.counts, counts.isExact else { return nil }
    self.store = store
    self.selection = selection
    self.offset = offset
    self.limit = limit
    total = counts.total
    version = page.version
  }

  func compare(_ count: Int) throws -> Miscount? {
    let now = try store.page(PageRequest(selection, fetchLimit: 0)).version
    let least = wanted(of: max(total - (now.deleted - version.deleted), 0))
    let most = wanted(of: total + (now.inserted - version.inserted))
    guard count < least || count > max(most, least) else { return nil }
    return Miscount(counted: least, read: count)
  }

  private func wanted(of total: Int) -> Int { min(limit ?? .max, max(total - offset, 0)) }
}

/// A difference that only damage explains, between the messages counted and those read.
public struct Miscount: Hashable, Sendable {
  /// The number of messages according to the store's counts.
  public var counted: Int
  /// The number of messages that could be read.
  public var read: Int
}
