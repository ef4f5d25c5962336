package import MessageModel
internal import MessageStorage
package import MessageWindows
internal import Synchronization
package import TerminalText

/// A reader at a full screen: a view of the history, and what covers it.
package struct ScreenReader: Sendable {
  package var view: HistoryView
  /// Counts views: reads for an earlier one are dropped.
  var viewNumber = 0
  package internal(set) var handles = HandleTable()
  package var cover = Cover()
  var listPlaces: [Listing.Choice: ListingCover.Place] = [:]
  var hint: [String]
  var choices: Choices?
  /// Messages that keys have selected.
  var picked: PickedMessages?
  /// Replaces the status line until the next keyboard event.
  var notice: Row?
  /// Where clearing the filter returns to; `nil` without a filter.
  private var placeBeforeFilter: PlaceBeforeFilter?
  /// The number of messages without the filter; `nil` without a filter.
  private(set) var wholeCount: Int?
  var unreadLook: UnreadLook?
  var freezing: Freezing?
  var currentHit: Message.ID?
  var gallery = PictureGallery()
  let isView: Bool
  var frame: ScreenFrame
  var rows: Int { frame.rows }
  var columns: Int { frame.columns }

  init(_ context: ReplContext, rows: Int, columns: Int, isView: Bool, hint: [String]) {
    frame = ScreenFrame(rows: rows, columns: columns, context)
    self.isView = isView
    self.hint = hint
    view = Self.view(of: context, in: frame)
  }

  private static func view(of context: ReplContext, in frame: ScreenFrame) -> HistoryView {
    var settings = LayoutSettings(
      columns: frame.messageColumns, zone: context.zone, foldRows: frame.foldRows)
    settings.ownNames = context.ownNames
    settings.take(context.appearance)
    settings.showsConversations = context.naming.showsConversations
    return HistoryView(
      of: context.selection, in: context.store, settings: settings, height: frame.height,
      naming: context.naming)
  }
}

/// The place before a filter was set. Clearing it returns there unless the reader has moved.
private struct PlaceBeforeFilter {
  var place: WindowPosition
  /// Where the filter put the reader; `nil` if nothing matches.
  var shown: WindowPosition?
  func isLeft(by position: WindowPosition?) -> Bool {
    guard let shown, let position else { return false }
    return shown.isFollowing && position.isFollowing ? false : shown != position
  }
}

extension ScreenReader: Reader {
  package var traits: ReaderTraits { ReaderTraits(medium: isView ? .view : .window, columns: columns) }

  package mutating func emit(_ reply: Reply, in context: inout ReplContext) {
    switch reply {
    case .notice(let text), .miss(let text): say(text)
    case .echo, .question: break
    case .listing(let listing) where listing.isBrief && listing.lines.count == 1: say(listing.lines[0])
    case .listing(let listing): show(listing, context)
    case .choices(let words): show(choices: words)
    case .clipboard(let text): say(Clipboard.sentence(on: text, by: Clipboard.terminalName))
    case .summary(let summary): say(([summary.text] + summary.skipped.prefix(1)).joined(separator: "; "))
    case .stopped(let lane): if lane == .transfer || notice == nil { say("stopped") }
    }
  }

  /// Shows an error in the status line.
  package mutating func complain(_ error: any Error) {
    // Stopping was the user's choice.
    if (error as? StoreError)?.kind == .cancelled {
      if notice == nil { say("stopped") }
      return
    }
    let error = UsageError(error)
    var text = error.summary
    if let cause = error.cause { text += "; \(cause)" }
    if let remedy = error.remedy { text += " — try: \(remedy.typed)" }
    let shown = SafeText.oneLine(isView ? HelpText.inView(text) : text)
    notice = Row(" " + shown, .failure)
  }

  mutating func say(_ text: String) {
    notice = Row(" " + SafeText.oneLine(isView ? HelpText.inView(text) : text), .status)
  }

  private mutating func show(_ listing: Listing, _ context: ReplContext) {
    let pictures = listing.pictures.map { previewRows(of: $0, context) } ?? []
    keepListPlace()
    cover.list = ListingCover(
      listing, pictures: pictures, columns: columns, height: view.height, at: listPlaces[listing.choice])
  }

  private mutating func keepListPlace() {
    guard let lines = cover[ListingCover.self], lines.listing.choice != .nothing else { return }
    listPlaces[lines.listing.choice] = lines.place
  }

  package mutating func clearNotice() { notice = nil }

  @discardableResult package mutating func putAway() -> Bool {
    defer { (notice, cover.list) = (nil, nil) }
    keepListPlace()
    return notice != nil || cover.isShown
  }

  /// Updates the letters on the screen, and marks the messages as read.
  package mutating func catchUp(in context: inout ReplContext) {
    handles.update(visible: view.visible.filter { view.window.message($0)?.kind.isEvent == false })
    guard !cover.isShown else { return }
    // A folded event at the newest end counts as seen.
    let end = view.isAtBottom ? view.window.messages.last.map { [$0.id] } ?? [] : []
    context.noteSeen((view.visible + end).compactMap { view.window.message($0) })
  }
}

// MARK: Moving

extension ScreenReader {
  package var jumps: JumpHistory {
    get { view.window.jumps }
    set { view.window.jumps = newValue }
  }

  package var sight: Sight {
    var sight = Sight(
      place: view.window.position ?? placeBeforeFilter?.place, isAtNewestEdge: view.isAtBottom,
      header: view.window.header, pictureByteCount: gallery.byteCount)
    let ids = view.visible
    if let first = ids.first, let last = ids.last {
      sight.visible = ClosedRange(from: first, to: last)
    } else {
      sight.visible = view.current.map { $0.id...$0.id }
    }
    if let current = view.current, let top = view.top {
      sight.inView = ReplContext.InView(time: current.time, first: top.id, last: current.id)
    }
    return sight
  }

  package func message(called letters: String) throws(UsageError) -> Message.ID {
    if let id = handles.message(called: letters) { return id }
    throw UsageError("no message on the screen has the letter '\(letters)'")
  }

  package mutating func enter(_ context: inout ReplContext, isPassing: Bool) throws(StoreError) {
    view = Self.view(of: context, in: frame)
    viewNumber += 1
    currentHit = nil
    (freezing, placeBeforeFilter, picked) = (nil, nil, nil)
    try countWhole(in: context)
    try context.adoptReadMark()
    unreadLook = context.openConversation == nil ? UnreadLook() : nil
    let newest = context.openConversation?.newest
    if let mark = context.openConversation?.readUpTo, let newest, mark < newest { view.unreadAfter = mark }
    try view.countAnswers(unreadAfter: context.answersReadUpTo)
    try view.jump(to: .newest)
    if context.showsPictures { try layOut(size: nil, in: &context) }
    if !isPassing { catchUp(in: &context) }
  }

  package mutating func move(
    _ motion: Motion, in context: inout ReplContext
  ) throws(StoreError) -> Page.Resolution? {
    if cover.listing != nil {
      if try moveInCover(motion, context) { return nil }
      cover.list = nil
    }
    defer { catchUp(in: &context) }
    switch motion {
    case .messages(let count): try view.scroll(messages: count)
    case .rows(let count): try view.scroll(rows: count)
    case .halfPages(let count): try view.scroll(rows: count * max(1, view.height / 2))
    case .pages(let count): try view.scroll(rows: count * view.height)
    case .days(let count): try view.scroll(days: count)
    case .end(let direction): return try view.jump(to: direction == .older ? .oldest : .newest)
    case .to(let anchor, let isAmongOthers):
      return try view.jump(to: anchor, rowsAbove: isAmongOthers ? view.height / 3 : 0)
    case .hit(let id, let isFirst):
      return try view.jump(to: .around(id), rowsAbove: view.height / 3, isRemembered: isFirst)
    case .retrace(let direction): return try view.retrace(direction) ? view.window.header.resolution : nil
    case .restore(let place): try view.restore(place)
    }
    return nil
  }

  /// The beginning of the unread messages or, if all were read, the former one; moves the separator there.
  package mutating func firstUnread(in context: inout ReplContext) throws(StoreError) -> PageAnchor {
    if let mark = try context.unreadMark { view.unreadAfter = mark }
    return try context.anchor(ofUnreadAfter: view.unreadAfter ?? context.readEdge)
  }

  package mutating func select(
    _ outcome: ReplContext.FilterOutcome, keeping id: Message.ID?, in context: inout ReplContext
  ) throws(StoreError) -> [Reply] {
    let isCleared = context.filter == nil && view.window.selection != context.wholeSelection
    let kept = isCleared ? view.row(of: id) : nil
    // A reader still where the filter put them returns to the former place.
    let held = placeBeforeFilter.flatMap { $0.isLeft(by: view.window.position) ? nil : $0.place }
    let before = held ?? sight.place
    try view.select(context.selection)
    picked = nil
    try countWhole(in: context)
    // A reader who came from the newest message stays at what the filter showed.
    if let held, !view.window.isEmpty, kept == nil || !held.isFollowing {
      try view.restore(held)
    } else if let kept {
      try view.show(kept.id, inRow: kept.row)
    }
    let isWhole = context.filter == nil && !view.window.isEmpty
    placeBeforeFilter =
      isWhole ? nil : before.map { PlaceBeforeFilter(place: $0, shown: view.window.position) }
    return []
  }

  private mutating func countWhole(in context: ReplContext) throws(StoreError) {
    wholeCount = context.filter == nil ? nil : try context.wholeCount
  }

  package mutating func follow(_ follows: Bool, in context: inout ReplContext) throws(StoreError) {
    view.follow(follows)
  }

  package mutating func highlight(
    _ hits: [String], wholeWords: Bool, current: Message.ID?
  ) throws(StoreError) {
    if current != currentHit || hits != view.settings.hits { view.foldAgain() }
    currentHit = current
    try view.highlight(hits, wholeWords: wholeWords)
  }

  private static var mostUnfoldedBytes: Int { 1 << 19 }

  package mutating func unfoldHit(in context: ReplContext) throws(StoreError) {
    guard let currentHit, view.hidesHit(of: currentHit) else { return }
    let size = view.window.message(currentHit)?.textByteCount ?? 0
    // The text is searched at each key of a typed search.
    guard size <= Self.mostUnfoldedBytes else { return }
    if let text = try context.store.text(of: currentHit) { try view.unfold(currentHit, text) }
  }

  package mutating func layOut(
    size: (rows: Int, columns: Int)?, in context: inout ReplContext
  ) throws(StoreError) {
    frame = ScreenFrame(rows: size?.rows ?? rows, columns: size?.columns ?? columns, context)
    var settings = view.settings
    settings.columns = frame.messageColumns
    settings.zone = context.zone
    settings.foldRows = frame.foldRows
    settings.ownNames = context.ownNames
    settings.take(context.appearance)
    settings.pictures = thumbnailRoom(context)
    try view.resize(settings, height: frame.height)
    catchUp(in: &context)
  }
}

// MARK: Changes

extension ScreenReader {
  /// Reads the store's changes. A failure is shown, but must not restore the line: it was executed.
  package mutating func refresh(in context: inout ReplContext) {
    do throws(StoreError) {
      try view.sourceChanged()
      try countWhole(in: context)
    } catch { complain(error) }
    catchUp(in: &context)
  }

  package mutating func goToOwn(in context: inout ReplContext) {
    view.unreadAfter = nil
    let store = context.store
    do throws(StoreError) {
      // One transaction for the page and the replies to its messages.
      try store.atOneMoment { () throws(StoreError) in
        try view.sourceChanged()
        guard view.window.header.sinceFrozen == nil else { return }
        if !view.isAtBottom { try view.jump(to: .newest) }
        // Writing implies having read all earlier replies.
        guard let newest = view.window.messages.last?.id else { return }
        context.answersReadUpTo = newest
        try view.countAnswers(unreadAfter: newest)
      }
    } catch { complain(error) }
  }

  package mutating func noticeChange(in context: inout ReplContext) throws(StoreError) {
    cover.list?.noticeChange()
    try thawIfCostly(context.store)
    context.names.forgetChanged()
    unreadLook?.noticeChange()
    try takeOwnNames(of: context)
    try view.settle()
    try countWhole(in: context)
    guard try view.isBehind(context.store) else { return }
    // Another process may have imported into the conversation.
    context.origin = nil
    view.noticeChange()
    catchUp(in: &context)
  }

  /// A link of accounts may change who the reader is.
  private mutating func takeOwnNames(of context: ReplContext) throws(StoreError) {
    var settings = view.settings
    settings.ownNames = context.ownNames
    if settings != view.settings { try view.resize(settings, height: frame.height) }
  }

  package mutating func pageJobs(in context: ReplContext) -> [Job] {
    do throws(StoreError) { try settleCover(context) } catch { complain(error) }
    var jobs = [unreadJob(in: context)].compactMap(\.self)
    jobs += cover.hits?.hits?.takeJobs(.hits, in: context.store) ?? []
    jobs += view.takeOrders().map { [viewNumber] order in
      Job(order.request.ticket.asksForTheNext ? .pages : .refresh) { report, isCancelled in
        let isOver: @Sendable () -> Bool = {
          isCancelled() || order.callOff.isAskedFor.load(ordering: .relaxed)
        }
        let result = SynchronousMessageStore.whileCancellable(by: isOver) {
          Result { () throws(StoreError) in try order.source.page(order.request.fetch) }
        }
        report(.page(result, for: order.request, view: viewNumber))
      }
    }
    return jobs
  }

  /// Applies page reads, pictures and look-ups; returns whether the report was one.
  mutating func take(_ report: Job.Report, in context: inout ReplContext) throws(StoreError) -> Bool {
    if case .picture(let key, let picture) = report {
      gallery.take(picture, of: key)
      return true
    }
    if case .firstUnread(let found, let before, let number) = report {
      if number == viewNumber { try takeUnread(found, before: before, context) }
      return true
    }
    if case .cover(let listing, let map, let command) = report {
      take(listing, map, of: command)
      return false
    }
    guard case .page(let result, let request, let number) = report else { return false }
    if number == viewNumber {
      try view.take(result, for: request)
      catchUp(in: &context)
    }
    return true
  }

  /// Cancels page reads; returns whether the reader was waiting for one.
  mutating func stopReading() -> Bool {
    defer { view.callOffReading() }
    return view.isLookingOn
  }
}
