internal import HistoryQueries
internal import MessageModel
internal import MessageStorage
internal import MessageWindows
internal import TerminalText

/// `/older`, `/newer`, `/top`, `/bottom`, `/back`, `/forward` and `/goto`.
extension Session {
  mutating func move(_ motion: Motion) throws -> Effects {
    _ = try reader.move(motion, in: &context)
    return Effects()
  }

  mutating func go(to destination: ReplCommand.Destination) throws -> Effects {
    let destination = try meant(by: destination)
    let before = context.timeline.key
    keepPlace()
    let view = reader.sight.inView
    guard var anchor = try context.anchor(for: destination, from: view) else {
      return Effects(.miss(ReplContext.nothing(beyond: destination)))
    }
    var effects = Effects()
    if destination == .unread {
      if try context.firstUnread == nil { effects.replies.append(.notice("nothing is unread")) }
      anchor = try reader.firstUnread(in: &context)
    }
    let isElsewhere = context.timeline.key != before
    if isElsewhere {
      trail.leave(before)
      effects = effects.adding(try enter(isPassing: true))
    }
    // A mark restores the view: its message goes to the top.
    let isMessage = if case .message = destination { true } else { false }
    let resolution = try reader.move(.to(anchor, amongOthers: isMessage), in: &context)
    // The jump history begins here: `/back` leads to the former conversation.
    if isElsewhere { reader.jumps = JumpHistory() }
    if let remark = resolution.flatMap({ context.remark(on: destination, $0) }) {
      effects.replies.append(.miss(remark))
    } else if let hint = try context.hint(on: destination, resolution?.message, from: view) {
      effects.replies.append(.notice(hint))
    }
    return effects
  }

  private func meant(by destination: ReplCommand.Destination) throws -> ReplCommand.Destination {
    guard case .mark(let name) = destination else { return destination }
    let names = try context.store.marks().map(\.name)
    guard !names.contains(name), let meant = try nameMeant(by: name[...], among: names) else {
      return destination
    }
    return .mark(meant)
  }

  /// Goes back or forward within the timeline, then to other timelines.
  mutating func retrace(_ direction: ScrollDirection, _ word: String) throws -> Effects {
    if try reader.move(.retrace(direction), in: &context) != nil { return Effects() }
    keepPlace()
    while let key = trail.step(direction, from: context.timeline.key) {
      guard let found = try context.timeline(key) else { continue }
      context.enter(found)
      var effects = try enter(returning: true)
      effects.replies.append(.echo("in \(context.shownName)"))
      return effects
    }
    return Effects(.miss("there is nothing to go \(word) to"))
  }
}

extension ReplContext {
  /// `nil` if nothing lies in the direction of a step.
  mutating func anchor(for destination: ReplCommand.Destination, from view: InView?) throws -> PageAnchor? {
    switch destination {
    case .mark(let name): .around(try open(mark: name).message)
    case .time(let expression): try anchor(for: expression, from: view)
    case .number(let number): .ordinal(number - 1)
    case .percent(let percent): .percent(percent)
    case .message(let id): .around(id)
    case .unread: .firstUnread
    case .oldest: .oldest
    case .newest: .newest
    }
  }

  func remark(on destination: ReplCommand.Destination, _ resolution: Page.Resolution) -> String? {
    switch resolution.match {
    case .nothing: return "there are no messages here"
    case .clamped:
      return ["there are fewer messages: this is the newest", yearMeant(by: destination)]
        .compactMap { $0 }.joined(separator: "; ")
    case .beyondGap: return "messages are missing there; showing the nearest"
    case .nearestOlder, .nearestNewer:
      switch destination {
      case .message(let id): return "message #\(id) is not in this conversation; showing the nearest"
      case .mark: return "the marked message is not in this conversation; showing the nearest"
      default: return nil
      }
    case .exact: return nil
    }
  }

  /// The messages in view, for steps in time.
  package struct InView {
    var time: Timestamp
    var first: Message.ID
    var last: Message.ID
  }

  /// A step into a gap goes to the next message beyond the view: it must not lead back to its start.
  mutating func anchor(for expression: TimeExpression, from view: InView?) throws -> PageAnchor? {
    let moment = expression.moment(now: now(), place: view?.time, clock: &clock)
    guard let isBack = expression.isStepBack, let view else { return .time(moment) }
    let edge = isBack ? view.first : view.last
    if let found = try message(at: .time(moment)), isBack ? found < edge : found > edge {
      return .around(found)
    }
    return try message(at: isBack ? .before(edge) : .after(edge)).map { .around($0) }
  }

  mutating func hint(
    on destination: ReplCommand.Destination, _ found: Message.ID?, from view: InView?
  ) throws(StoreError) -> String? {
    switch destination {
    case .number(let number): return yearMeant(by: destination).map { "message number \(number); \($0)" }
    case .time(let expression):
      guard let message = try found.flatMap({ id throws(StoreError) in try message(id) }) else { return nil }
      let day = day(of: message)
      if let days = expression.days(now: now(), place: view?.time, clock: &clock) {
        return Self.hint(on: days, day)
      }
      guard expression.namesTimeOfDay else { return nil }
      let wanted = expression.moment(now: now(), place: view?.time, clock: &clock)
      return Self.hint(on: clock.civil(at: wanted), day, isOlder: message.moment < wanted)
    // Going there may have marked it read.
    case .unread: return nil
    case .oldest, .newest, .mark, .percent, .message: return nil
    }
  }

  func yearMeant(by destination: ReplCommand.Destination) -> String? {
    var clock = clock
    guard case .number(let number) = destination, (1_970...clock.civil(at: now()).year).contains(number)
    else {
      return nil
    }
    return "for the year: /goto \(number)-01"
  }

  private mutating func day(of message: Message) -> Int {
    clock.civil(at: message.time, knownTo: message.precision).daysSince1970
  }

  private static func hint(on days: ClosedRange<Int>, _ day: Int) -> String? {
    guard !days.contains(day) else { return nil }
    let first = DateText.date(CivilTime(daysSince1970: days.lowerBound))
    let last = DateText.date(CivilTime(daysSince1970: days.upperBound))
    let wanted = days.count == 1 ? "on \(first)" : "from \(first) to \(last)"
    let found = DateText.date(CivilTime(daysSince1970: day))
    return day > days.upperBound
      ? "no messages \(wanted); this is the next one, of \(found)"
      : "no messages \(wanted) or later; this is the last one, of \(found)"
  }

  private static func hint(on wanted: CivilTime, _ day: Int, isOlder: Bool) -> String? {
    guard isOlder || day != wanted.daysSince1970 else { return nil }
    let time = DateText.dateAndTime(wanted, precision: .minute)
    let found = DateText.date(CivilTime(daysSince1970: day))
    return isOlder
      ? "no messages after \(time); this is the last one, of \(found)"
      : "no messages after \(time) on that day; this is the next one, of \(found)"
  }

  static func nothing(beyond destination: ReplCommand.Destination) -> String {
    guard case .time(let expression) = destination else { return "there is nothing" }
    return "there is nothing \(expression.isStepBack == true ? "older" : "newer")"
  }

  private func message(at anchor: PageAnchor) throws(StoreError) -> Message.ID? {
    try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 1, wantsCounts: false)).messages.first?
      .id
  }
}
