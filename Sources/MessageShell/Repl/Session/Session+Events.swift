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
      (effects.droppedLine, typedLine, isLineOrphaned) = (dropped, "", !event.isOfKeyboard)
    }
    effects.jobs += reader.pageJobs() + markingRead()
    let isLine = if case .line = event { true } else { false }
    if let error = costlyMessages(inNewLine: isLine) { reader.complain(error) }
    if let line = effects.line { lineGivenBack = line }
    return effects
  }

  private mutating func respond(to event: ReplEvent) -> Effects {
    if case .typed(let line) = event {
      typedLine = line
      if line.isEmpty { isLineOrphaned = false }
    }
    do {
      if let effects = try respondInMap(to: event) { return effects }
      if let effects = try respondInHits(to: event) { return effects }
      switch event {
      case .typed(let line):
        // In a list it closes that at once, as in a pager.
        if line == "q", reader.listing != nil, question == nil { return try press(.escape, 1) }
        if question == nil { reader.narrowListing(by: line) }
        return try typed(line)
      case .search(let query, let direction):
        let kept = reader.isAttended ? TypedSearch.finished(query) : query
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
  mutating func complain(_ error: any Error) {
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
    return try start.map { try carryOut(TypedCommand(.goto($0), .reads)) } ?? Effects()
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
    var effects = Effects(stops: [.search, .transfer])
    if !reader.putAway(), !isAsked, transfer == nil { effects = effects.adding(try endSearch()) }
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
    case .unread:
      let effects = try context.firstUnread == nil ? Effects(.notice("nothing is unread")) : Effects()
      return effects.adding(try move(.to(try reader.firstUnread(in: &context))))
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
    case .choose:
      guard question == nil, let listing = reader.listing, listing.chosenName != nil else {
        return try move(.rows(count))
      }
      reader.putAway()
      return try listing.command(choosing: "").map { try perform(TypedCommand($0, .reads)) } ?? Effects()
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
    case .hits(let page, let request, let number): return try take(page, for: request, window: number)
    case .hitCount(let count, let number):
      note(count, ofSearch: number)
      return Effects()
    case .hitEstimate(let count, let number):
      if number == search?.number, search?.count == nil { search?.estimate = count }
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
      (transfer, context.origin) = (nil, nil)
      reader.refresh(in: &context)
      return Effects(reply)
    case .stopped(let lane):
      if lane == .transfer { transfer = nil }
      return Effects(.stopped(lane))
    case .failed(let error, let lane):
      if lane == .transfer { transfer = nil }
      throw error
    }
  }
}
