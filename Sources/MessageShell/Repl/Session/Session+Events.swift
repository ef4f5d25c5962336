internal import MessageModel
internal import MessageWindows

extension Session {
  /// Takes an event in.
  ///
  /// Nothing is thrown: the reader is told what could not be done, and a message that could not be written comes back in
  /// the effects.
  package mutating func handle(_ event: ReplEvent) -> Effects {
    reader.note(event)
    let opened = open
    var effects = respond(to: event)
    if hasSourced { effects = effects.adding(runSourced()) }
    if let dropped = lineDropped(by: event, opened), !dropped.isEmpty {
      (effects.droppedLine, typedLine) = (dropped, "")
    }
    effects.jobs += reader.pageJobs() + markingRead()
    let isLine = if case .line = event { true } else { false }
    if let error = costlyMessages(inNewLine: isLine) { reader.complain(error) }
    if let line = effects.line { lineGivenBack = line }
    return effects
  }

  /// What takes the line being typed, other than the messages.
  private enum Open: Hashable { case nothing, listing, search, question }

  private var open: Open {
    if typing != nil { return .search }
    if question != nil { return .question }
    return reader.listing == nil ? .nothing : .listing
  }

  /// What is typed into a list goes with it, however it is put away: it must not become a message. Commands stay, but
  /// Esc is for all.
  private func lineDropped(by event: ReplEvent, _ before: Open) -> String? {
    switch event {
    case .line, .completions, .interrupted: return nil
    case .key(.escape, _): return before == .nothing || open == before ? nil : typedLine
    case .typed, .search, .key, .resized, .storeChanged, .timePassed, .reported:
      let isPutAway = before == .listing && reader.listing == nil
      return isPutAway && !typedLine.hasPrefix("/") ? typedLine : nil
    }
  }

  private mutating func respond(to event: ReplEvent) -> Effects {
    do {
      if let effects = try respondInMap(to: event) { return effects }
      if let effects = try respondInHits(to: event) { return effects }
      switch event {
      case .typed(let line):
        typedLine = line
        // In a list it closes that at once, as in a pager.
        if line == "q", reader.listing != nil, question == nil { return try press(.escape, 1) }
        return try typed(line)
      case .search(let query, let direction):
        let kept = reader.showsHits ? TypedSearch.finished(query) : query
        let effects = try endTyping().adding(try search(kept, toward: direction))
        try tell(effects)
        return effects
      case .line(let line): return respond(toLine: line)
      case .reported(let report): return respond(to: report)
      case .key(let key, let count):
        var effects = try press(key, min(max(1, count), 10_000))
        try tell(effects)
        if typing != nil { effects.stops.insert(.typing) }
        return effects
      case .resized(let rows, let columns):
        try reader.layOut(size: (max(2, rows), max(2, columns)), in: &context)
      case .storeChanged:
        try reader.noticeChange(in: &context)
        do { try context.store.checkPlace() } catch { reader.complain(error) }
        return Effects(jobs: recounting() + readingHits(), stops: forgetHits())
      case .timePassed:
        try reader.timePassed(in: &context)
        return Effects(jobs: recountsAt == nil ? [] : recounting())
      case .interrupted: return try interrupt()
      case .completions(let words): if !words.isEmpty { reader.show(choices: words) }
      }
    } catch {
      complain(error)
    }
    return Effects()
  }

  /// Says what went wrong, if anything did: what was stopped was wanted so.
  private mutating func complain(_ error: any Error) {
    guard (error as? StoreError)?.kind == .cancelled, reader.isAttended else { return reader.complain(error) }
    try? reader.tell(.stopped(.pages), in: &context)
  }

  /// What is to be done elsewhere for what is seen first.
  package mutating func begin() -> Effects {
    var effects = Effects()
    do {
      effects = try goToStart()
      if let greeting = context.greeting { try tell(Effects(.notice(greeting))) }
    } catch {
      complain(error)
    }
    context.greeting = nil
    effects.jobs += reader.pageJobs() + markingRead()
    return effects
  }

  /// Goes to the place to begin at, if one was named.
  mutating func goToStart() throws -> Effects {
    let start = context.start
    context.start = nil
    return try start.map { try carryOut(.goto($0)) } ?? Effects()
  }

  /// Puts away what covers the messages, and stops long work; the search, if there is nothing else.
  private mutating func interrupt() throws -> Effects {
    if typing != nil {
      reader.putAway()
      return try endTyping().adding(Effects(stops: [.search, .transfer]))
    }
    if reader.stopReading() {
      let effects = Effects(.stopped(.pages))
      try tell(effects)
      return effects
    }
    let isAsked = question != nil
    (question, sourced) = (nil, [])
    if !reader.putAway(), !isAsked, transfer == nil { try endSearch() }
    return Effects(stops: [.search, .transfer])
  }

  // MARK: Lines

  /// What a line means.
  private enum Meaning {
    case command(ReplCommand?)
    case slip(Slip)

    var command: ReplCommand? {
      switch self {
      case .command(let command): command
      case .slip: nil
      }
    }
  }

  private mutating func respond(toLine line: String) -> Effects {
    let before = self
    var ended = Effects()
    let listing = reader.listing
    var meaning: Meaning?
    typedLine = ""
    do {
      ended = try endTyping()
      reader.putAway()
      let new = try self.meaning(of: line, in: listing)
      meaning = new
      switch new {
      case .command(let command): return ended.adding(try carryOut(keepingPreview(command, of: line)))
      case .slip(let slip):
        let effects = Effects(.question(slip.question))
        try tell(effects)
        return ended.adding(effects)
      }
    } catch let error as StoreError where error.kind == .cancelled {
      // Half of the way is nowhere.
      self = before
      ended = Effects()
      complain(error)
    } catch {
      reader.complain(error)
      if listing != nil { reader.bringBack() }
    }
    ended.line = meaning?.command?.lineToTryAgain
    return ended
  }

  /// Returns what a line means: in a list, a choice; else a command, a message or the answer to a question.
  private mutating func meaning(of line: String, in listing: Listing?) throws -> Meaning {
    if let listing, question == nil, !CommandParser.isCommand(line) {
      return .command(try listing.command(choosing: line))
    }
    let isAsked = question
    guard reader.hasLine, isAsked?.answer(line.trimming(while: \.isWhitespace)) == nil,
      isAsked?.isPassing != false, let slip = Slip(line)
    else { return .command(try command(in: line)) }
    if isReadOnly, let command = slip.command { return .command(command) }
    return .slip(slip)
  }

  /// Returns the command or message in a line, or what it answers to a question; `nil` for nothing.
  mutating func command(in line: String) throws -> ReplCommand? {
    if let question, !CommandParser.isCommand(line) {
      if let answer = question.answer(line.trimming(while: \.isWhitespace)) {
        self.question = nil
        if answer.command != nil, let permitted = question.permits { context.permitted.insert(permitted) }
        return answer.command
      }
      guard question.isPassing else { throw question.misunderstanding }
    }
    question = nil
    return try CommandParser.command(in: line)
  }

  /// Carries out what a line means, and tells what came of it.
  mutating func carryOut(_ command: ReplCommand?) throws -> Effects {
    let effects = try command.map { try perform($0) } ?? Effects()
    try tell(effects)
    try reader.endLine(in: &context)
    return effects
  }

  // MARK: Keys

  private mutating func press(_ key: ReplKey, _ count: Int) throws -> Effects {
    reader.clearNotice()
    switch key {
    case .pageOlder: return try move(.pages(-count))
    case .pageNewer: return try move(.pages(count))
    case .halfOlder: return try move(.halfPages(-count))
    case .halfNewer: return try move(.halfPages(count))
    case .rowOlder: return try move(.rows(-count))
    case .rowNewer: return try move(.rows(count))
    case .rowsOlder: return try move(.rows(-3 * count))
    case .rowsNewer: return try move(.rows(3 * count))
    case .dayOlder: return try move(.days(-count))
    case .dayNewer: return try move(.days(count))
    case .oldest: return try move(.end(.older))
    case .newest: return try move(.end(.newer))
    case .unread: return try move(.to(try reader.firstUnread(in: &context)))
    case .redraw:
      reader.refresh(in: &context)
      return Effects()
    case .repeatHit: return try step(search?.direction ?? .older)
    case .reverseHit: return try step(search?.direction == .newer ? .older : .newer)
    case .nextHit: return try step(.newer)
    case .previousHit: return try step(.older)
    case .map: return try showMap()
    case .answered:
      return try goToAnswered(nil)
    case .hits: return try listHits("")
    case .choose: return try move(.rows(count))
    case .close:
      var effects = Effects()
      effects.leaves = !reader.putAway()
      try reader.endLine(in: &context)
      return effects
    case .escape: return try escape()
    }
  }

  /// Puts away what is open, the topmost first.
  private mutating func escape() throws -> Effects {
    if typing != nil {
      reader.putAway()
      return try endTyping()
    }
    if question == nil { reader.putAway() }
    question = nil
    try reader.endLine(in: &context)
    return Effects()
  }

  // MARK: Reports

  private mutating func respond(to report: Job.Report) -> Effects {
    do {
      let effects = try take(report)
      try tell(effects)
      return effects
    } catch {
      complain(error)
      return Effects()
    }
  }

  /// Takes in what a job tells. What comes of it is not told yet.
  mutating func take(_ report: Job.Report) throws -> Effects {
    switch report {
    case .page, .picture:
      try reader.take(report, in: &context)
      return Effects()
    case .hit(let hit, let number): return number == search?.number ? try found(hit) : Effects()
    case .hits(let hits, let direction, let number, let edition):
      if number == search?.number, edition == search?.edition { search?.known?.take(hits, direction) }
      return Effects()
    case .hitPage(let page, let number): return try take(page, list: number)
    case .hitCount(let count, let number):
      if number == reader.hits?.number { reader.hits?.note(count: count) }
      guard number == search?.number else { return Effects() }
      search?.count = count
      search?.estimate = nil
      return Effects()
    case .hitEstimate(let count, let number):
      if number == search?.number { search?.estimate = count }
      return Effects()
    case .olderHits(let count, let number):
      guard number == search?.number else { return Effects() }
      search?.takeOlder(count)
      search?.isCounting = false
      return Effects(jobs: search?.isStale == true ? recounting() : [])
    case .filterCounted:
      reader.refresh(in: &context)
      return Effects()
    case .marked(let positions, let isDone):
      marking.isUnderWay = false
      marking.refused = isDone ? nil : positions
      if isDone { context.unwritten.remove(positions) }
      return Effects()
    case .written(let id):
      context.noteWritten(id)
      return Effects()
    case .progress(let text):
      transfer = text
      return Effects()
    case .ended(let reply):
      transfer = nil
      reader.refresh(in: &context)
      return Effects(reply)
    case .stopped(let lane):
      if lane == .transfer { transfer = nil }
      return Effects(.stopped(lane))
    case .failed(let error, let lane):
      if lane == .transfer { transfer = nil }
      if lane == .hits { reader.hits?.stopReading() }
      throw error
    }
  }
}
