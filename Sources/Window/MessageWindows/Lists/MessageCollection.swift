package import MessageModel
import Synchronization

/// All messages of a selection as a collection: `ForEach`, binary search and slicing work on ten million
/// messages as on an array.
///
/// Accessing an element reads a page by ordinal; a bounded number of pages is cached. The source must not
/// change meanwhile, so use a snapshot. Copies share their pages.
package struct MessageCollection: RandomAccessCollection, Sendable {
  /// The selection.
  package let selection: Selection
  /// The order of the messages.
  package let order: PageRequest.Order
  /// The number of messages.
  package let count: Int

  private let pages: PageCache

  /// Creates a collection over the present messages of a source.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - order: Their order.
  ///   - source: The source, which must stay in one state: a snapshot.
  ///   - pageSize: How many messages to read at once.
  ///   - pagesHeld: The most pages to keep.
  /// - Throws: ``StoreError`` also if the source does not know the exact number of messages.
  package init(
    _ selection: Selection, order: PageRequest.Order = .oldestFirst,
    in source: some SynchronousMessageSource, pageSize: Int = 100, pagesHeld: Int = 8
  ) throws(StoreError) {
    precondition(pageSize > 0 && pagesHeld > 0, "A collection reads and keeps at least one message.")
    let page = try source.page(PageRequest(selection, fetchLimit: 0))
    guard let counts = page.counts, counts.isExact else {
      throw StoreError(
        .invalidRequest, "cannot make a list of these messages", cause: "their number is only an estimate",
        remedy: "a window, which needs no number")
    }
    self.selection = selection
    self.order = order
    count = counts.total
    pages = PageCache(
      selection: selection, version: page.version, source: source, pageSize: pageSize, capacity: pagesHeld)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  /// The error of the latest page, if it could not be read.
  package var error: StoreError? { pages.error }

  /// The message at `index`, or a placeholder if it cannot be read; ``error`` then says why, and the next
  /// access tries again.
  ///
  /// - Complexity: O(1) within the cached pages, else one page read by ordinal.
  package subscript(index: Int) -> Message {
    precondition(indices.contains(index), "There is no message \(index) of \(count).")
    let ordinal = order == .oldestFirst ? index : count - 1 - index
    return pages.message(at: ordinal) ?? Self.placeholder(for: ordinal)
  }

  /// Whether a message is a placeholder for one that could not be read.
  package static func isPlaceholder(_ message: Message) -> Bool { message.conversation == nowhere }

  /// Placeholders have distinct ids, which lists require of their elements.
  private static func placeholder(for ordinal: Int) -> Message {
    Message(
      id: Message.ID(rawValue: .min + Int64(ordinal)), conversation: nowhere, kind: .unknown, text: "")
  }

  private static let nowhere = Conversation.ID(rawValue: .min)
}

private final class PageCache: Sendable {
  private struct State {
    var pages: [(number: Int, messages: [Message])] = []
    var error: StoreError?
  }

  private let selection: Selection
  private let version: SourceVersion
  private let source: any SynchronousMessageSource
  private let pageSize: Int
  private let capacity: Int
  private let state = Mutex(State())

  init(
    selection: Selection, version: SourceVersion, source: any SynchronousMessageSource, pageSize: Int,
    capacity: Int
  ) {
    self.selection = selection
    self.version = version
    self.source = source
    self.pageSize = pageSize
    self.capacity = capacity
  }

  var error: StoreError? { state.withLock { $0.error } }

  func message(at ordinal: Int) -> Message? {
    let (number, place) = ordinal.quotientAndRemainder(dividingBy: pageSize)
    let messages = kept(number) ?? read(number)
    return place < messages.count ? messages[place] : nil
  }

  private func kept(_ number: Int) -> [Message]? {
    state.withLock { state in
      guard let index = state.pages.lastIndex(where: { $0.number == number }) else { return nil }
      let page = state.pages.remove(at: index)
      state.pages.append(page)
      return page.messages
    }
  }

  /// Reads outside the lock, so that another thread can read another page.
  private func read(_ number: Int) -> [Message] {
    do throws(StoreError) {
      let messages = try page(number)
      state.withLock { state in
        state.error = nil
        state.pages.removeAll { $0.number == number }
        state.pages.append((number, messages))
        if state.pages.count > capacity { state.pages.removeFirst() }
      }
      return messages
    } catch {
      state.withLock { $0.error = error }
      return []
    }
  }

  private func page(_ number: Int) throws(StoreError) -> [Message] {
    let page = try source.page(
      PageRequest(
        selection, anchor: .oldest, fetchLimit: pageSize, fetchOffset: number * pageSize, wantsCounts: false))
    guard page.version == version else {
      throw StoreError(
        .invalidRequest, "cannot read on in this list", cause: "the messages have changed since it was made",
        remedy: "a list over a snapshot")
    }
    return page.messages
  }
}
