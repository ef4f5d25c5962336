internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

/// The pages of a conversation that need no script, as far as they are written.
struct SitePages: Codable {
  fileprivate var list: SiteList?
  fileprivate var before: SitePagePlace?
  fileprivate var open: SitePagePlace?
  fileprivate var month = Int.min
}

/// Pages without scripts: one at a time is held, and written before the next one begins.
extension SiteWriter {
  /// Stand-ins of times are not given twice, so redacted threads have no pages.
  private var hasThreads: Bool { site.redaction == nil }

  /// The fewest replies that make a thread where no message names it.
  private static let fewestReplies = 3
  private static let headingLength = 70

  // MARK: Months

  func addToPages(
    _ message: SiteMessage, on day: String, of current: inout SiteConversation
  ) throws {
    let civil = clock.civil(at: message.id.placeTime)
    // Ids made for redacted times may run backwards: a written page is not opened again.
    let month = max(civil.year * 12 + civil.month - 1, current.pages.month)
    let isSame = month == current.pages.month
    if page == nil || !isSame || page?.isFull == true {
      let part = isSame ? (current.pages.open?.part ?? 0) + 1 : 1
      let place = SitePagePlace(
        current.id, month: month, isNamed: site.redaction == nil, part: part, first: message.id)
      try closePage(of: &current, before: place)
      (current.pages.open, current.pages.month) = (place, month)
      page = SitePage(place, of: message.record, zone: zone, hasThreads: hasThreads)
    }
    page?.add(message.record, on: day)
  }

  private func closePage(of current: inout SiteConversation, before next: SitePagePlace?) throws {
    guard let closed = page else { return }
    page = nil
    try put(
      closed.document(before: current.pages.before, after: next, address: address), at: closed.place.path,
      changed: closed.lastDay)
    var list =
      current.pages.list
      ?? SiteList(
        closed.conversation, about: "The messages in \(closed.conversation) by month",
        folder: "c\(current.id.rawValue)/", stem: "index")
    try list.add(closed.place.fileName, closed.place.title, Self.counted(closed.count), write: put)
    current.pages.list = list
    current.pages.before = closed.place
  }

  /// Reads again what an interrupted export had put on the page that it had not written yet.
  func reopenPage(of whole: Conversation, _ current: SiteConversation) throws {
    page = nil
    guard let place = current.pages.open, let last = current.lastID else { return }
    let own = Selection(whole.id, where: narrowed(to: .ids(place.first...last)))
    _ = try each(own, of: whole) { message in
      if page == nil { page = SitePage(place, of: message.record, zone: zone, hasThreads: hasThreads) }
      page?.add(message.record, on: day(of: message.record))
    }
  }

  private func day(of record: ExportRecord) -> String { clock.civil(at: record.moment).dateText }

  /// Finishes the pages of a conversation, and returns whether it was not stopped.
  func finishPages(
    of whole: Conversation, as name: String, _ current: inout SiteConversation, _ isCancelled: () -> Bool
  ) throws -> Bool {
    try closePage(of: &current, before: nil)
    guard let last = current.pages.before, var list = current.pages.list else { return true }
    var threads = SiteList(
      "Threads of \(name)", about: "Threads in \(name), those with the newest replies first",
      folder: "c\(current.id.rawValue)/", stem: "threads")
    guard try writeThreads(of: whole, into: &threads, isCancelled) else { return false }
    if threads.firstCount > 0 {
      try threads.finish(write: put)
      try list.add(threads.fileName, "Threads", "", write: put)
    }
    var path = last.path
    if list.firstCount > 1 {
      try list.finish(write: put)
      path = "c\(current.id.rawValue)/\(list.fileName)"
    }
    var conversations = progress.pages
    try conversations.add(path, name, Self.counted(current.messageCount), write: put)
    progress.pages = conversations
    return true
  }

  /// Finishes what lists all pages. After an interruption all of it is done again.
  func finishPages() throws {
    try site.write(SiteDocument.style, to: "\(SiteDocument.folder)/style.css", isOurs: true)
    var conversations = progress.pages
    try conversations.finish(write: put)
    guard let address else { return }
    try progress.map.add("\(address)/", changed: "", to: site)
    var map = progress.map
    try map.finish(address, site)
  }

  // MARK: Threads

  private func writeThreads(
    of whole: Conversation, into list: inout SiteList, _ isCancelled: () -> Bool
  ) throws -> Bool {
    guard hasThreads else { return true }
    var before: Message.ID?
    repeat {
      let found = try store.threads(in: .some([whole.id]), before: before, limit: 100)
      for thread in found.threads where thread.answerCount > 1 || thread.newest.thread != nil {
        guard !isCancelled() else { return false }
        try writeThread(thread, of: whole, into: &list)
      }
      before = found.next
    } while before != nil
    return true
  }

  private func writeThread(
    _ thread: ThreadSummary, of whole: Conversation, into list: inout SiteList
  ) throws {
    var open: SitePage?
    var (before, first): (SitePagePlace?, SitePagePlace?) = (nil, nil)
    var heading: String?
    var (count, isNamed) = (0, thread.answerCount >= Self.fewestReplies)
    let own = Selection(whole.id, where: narrowed(to: .thread(thread.id)))
    _ = try each(own, of: whole) { message in
      if open?.isFull != false {
        let place = SitePagePlace(
          whole.id, thread: thread.id, part: (open?.place.part ?? 0) + 1, first: message.id,
          heading: heading ?? Self.heading(of: message))
        heading = heading ?? Self.heading(of: message)
        try put(open, before: before, after: place)
        (before, first) = (open?.place, first ?? place)
        open = SitePage(place, of: message.record, zone: zone, hasThreads: false)
      }
      open?.add(message.record, on: day(of: message.record))
      count += 1
      isNamed = isNamed || message.record.thread == thread.id && message.id != thread.id
    }
    guard isNamed, let first else { return }
    try put(open, before: before, after: nil)
    try list.add(first.fileName, first.title, Self.counted(count), write: put)
  }

  private func put(_ page: SitePage?, before: SitePagePlace?, after: SitePagePlace?) throws {
    guard let page else { return }
    try put(
      page.document(before: before, after: after, address: address), at: page.place.path,
      changed: page.lastDay)
  }

  private static func heading(of message: SiteMessage) -> String {
    let text = message.beginning.prefix(headingLength)
    return [message.sender, text.isEmpty ? nil : String(text)].compactMap(\.self).joined(separator: ": ")
  }

  // MARK: Files

  private func narrowed(to condition: MessagePredicate) -> MessagePredicate {
    .all(of: [predicate, condition].filter { $0 != .everything })
  }

  static func counted(_ count: Int) -> String { "\(count) message\(count == 1 ? "" : "s")" }

  private func put(_ document: SiteDocument, _ body: [UInt8]) throws {
    try put(document.bytes(body, address: address), at: document.path, changed: "")
  }

  private func put(_ bytes: [UInt8], at path: String, changed day: String) throws {
    try site.write(bytes, to: "\(SiteDocument.folder)/\(path)")
    if let address {
      try progress.map.add("\(address)/\(SiteDocument.folder)/\(path)", changed: day, to: site)
    }
  }
}
