internal import HistoryQueries
internal import MessageModel
internal import MessageWindows

extension Session {
  /// Handles an event.
  ///
  /// Errors are shown to the reader; a message that could not be written returns in the effects.
  package mutating func handle(_ event: ReplEvent) -> Effects {
    let opened = open
    var effects = respond(to: event)
    if hasSourced { effects = effects.adding(runSourced()) }
    if let dropped = lineDropped(by: event, opened), !dropped.isEmpty {
      (effects.droppedLine, input.text, input.isOrphaned) = (dropped, "", !event.isOfKeyboard)
    }
    effects.jobs += reader.pageJobs(in: context) + followingPerson() + lookingForNews() + followingCover()
    effects.jobs += markingRead()
    let isLine = if case .line = event { true } else { false }
    if let error = costlyMessages(inNewLine: isLine) { reader.complain(error) }
    if let line = takeLineAside() { (effects.line, input.text) = (line, line) }
    if let line = effects.line { input.restored = line }
    return effects
  }

  private mutating func respond(to event: ReplEvent) -> Effects {
    if case .typed(let line) = event {
      input.text = line
      if line.isEmpty { input.isOrphaned = false }
    }
    do {
      if let effects = try R.answer(event, &self) { return effects }
      switch event {
      case .typed(let line): return try typed(line)
      case .search(let query, let direction):
        let kept = reader.traits.isAttended ? TypedSearch.finished(query) : query
        return try emit(endTyping().adding(search(kept, toward: direction)))
      case .line(let line): return respond(toLine: line)
      case .reported(let report): return try emit(take(report))
      case .key(let key, let count):
        var effects = try emit(press(key, count))
        if typing != nil { effects.stops.insert(.typing) }
        return effects
      case .resized(let rows, let columns):
        try reader.layOut(size: (max(2, rows), max(2, columns)), in: &context)
      case .storeChanged:
        lookUps.noticeChange()
        // Before reading again: the held messages tell where the conversation is now.
        let followed = try emit(followConversation())
        try reader.noticeChange(in: &context)
        do { try context.store.checkPlace() } catch { reader.complain(error) }
        return followed.adding(Effects(jobs: recounting(), stops: forgetHits())).adding(followHits())
      case .timePassed: return Effects(jobs: recountsAt == nil ? [] : recounting())
      case .interrupted: return try interrupt()
      // Only a screen has places.
      case .click: break
      case .completions(let words): if !words.isEmpty { try reader.emit(.choices(words), in: &context) }
      }
    } catch {
      reader.complain(error)
    }
    return Effects()
  }

  /// Goes to the start; returns the jobs for the first screen.
  package mutating func begin() -> Effects {
    var effects = Effects()
    do {
      effects = try goToStart()
      if let greeting = context.greeting { try emit(Effects(.notice(greeting))) }
    } catch {
      reader.complain(error)
    }
    context.greeting = nil
    effects.jobs += reader.pageJobs(in: context) + markingRead()
    return effects
  }

  mutating func goToStart() throws -> Effects {
    let start = context.start
    context.start = nil
    return try start.map { try carryOut(TypedCommand(.goto($0), .reads)) } ?? Effects()
  }

  /// Puts away what covers the messages and stops long work; else ends the search.
  private mutating func interrupt() throws -> Effects {
    if typing != nil {
      reader.putAway()
      return try endTyping().adding(Effects(stops: [.search, .transfer]))
    }
    if endsPicking() { return Effects() }
    let isAsked = question != nil
    (question, sourcing.lines) = (nil, [])
    var effects = Effects(stops: [.search, .transfer])
    if !reader.putAway(), !isAsked, transfer == nil { effects = effects.adding(try endSearch()) }
    return effects
  }

  // MARK: Keys

  private mutating func press(_ key: ReplKey, _ count: Int) throws -> Effects {
    switch key {
    // As in vi and less a number names a message.
    case .oldest where count > 1, .newest where count > 1: return try go(to: .number(count))
    case .back: return try retrace(.older, "back")
    case .pageOlder, .pageNewer, .halfOlder, .halfNewer, .rowOlder, .rowNewer, .rowsOlder, .rowsNewer,
      .dayOlder, .dayNewer, .oldest, .newest, .choose:
      if let motion = key.motion(count) { _ = try reader.move(motion, in: &context) }
      return Effects()
    case .unread:
      let effects = try context.firstUnread == nil ? Effects(.notice("nothing is unread")) : Effects()
      return effects.adding(try move(.to(try reader.firstUnread(in: &context))))
    case .invertFilter: return try filter(MessageQuery.FilterWord.not.rawValue)
    case .dropFilter: return try filter(MessageQuery.FilterWord.drop.rawValue)
    case .addFilter: return beginLine("/filter \(context.filter == nil ? "" : "add ")")
    // Only the map zooms.
    case .zoomIn, .zoomOut: return Effects()
    case .pick, .pickOlder, .pickNewer: return Effects(.notice("messages are selected in the window"))
    case .nextUnread: return try openNextUnread()
    case .redraw:
      reader.refresh(in: &context)
      return Effects()
    case .repeatHit: return try step(search?.direction ?? .older)
    case .reverseHit: return try step(search?.direction == .newer ? .older : .newer)
    case .nextHit: return try step(.newer)
    case .previousHit: return try step(.older)
    case .map: return try showMap()
    case .switcher: return try showSwitcher()
    case .answered: return try goToAnswered(nil)
    case .hits: return try listHits("")
    case .steps: return try toggleSteps()
    case .close:
      if endsPicking() { return Effects() }
      let leaves = !reader.putAway()
      try reader.catchUp(in: &context)
      return Effects(leaves: leaves)
    case .escape: return try escape()
    }
  }

  /// Begins a command in the line, unless something is typed there.
  private func beginLine(_ beginning: String) -> Effects {
    guard input.text.isEmpty, reader.traits.hasLine else {
      return Effects(.notice("a text is being typed: send it first, or Ctrl-U"))
    }
    var effects = Effects()
    effects.line = beginning
    return effects
  }

  mutating func escape() throws -> Effects {
    if typing != nil {
      reader.putAway()
      return try endTyping()
    }
    if endsPicking() { return Effects() }
    if question == nil { reader.putAway() }
    question = nil
    try reader.catchUp(in: &context)
    return Effects()
  }

  /// Ends a selection of messages; returns whether there was one. A command takes it, and leaves it as it is.
  private mutating func endsPicking() -> Bool {
    guard question == nil, !reader.cover.isShown, reader.pickedMessages != nil else { return false }
    reader.endPicking()
    return true
  }

  // MARK: Reports

  mutating func take(_ report: Job.Report) throws -> Effects {
    switch report {
    // Reports for a former screen are dropped.
    case .page, .picture, .firstUnread: return Effects()
    case .person(let person, let id): return try take(person, inPlaceOf: id)
    case .news(let news):
      take(news)
      return Effects()
    case .cover:
      lookUps.cover.end()
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
      noteRankInList()
      search?.isCounting = false
      return Effects(jobs: search?.isStale == true ? recounting() : [])
    case .hitRank(let older, let id, let number):
      if number == reader.cover.hits?.number { reader.cover.hits?.note(olderCount: older, than: id) }
      return Effects()
    case .filterCounted:
      reader.refresh(in: &context)
      return Effects()
    case .marked(let positions, let isDone):
      marking.isUnderWay = false
      marking.refused = isDone ? nil : positions
      if isDone { context.unwritten.remove(positions) }
      // The positions were on their way when it was marked as unread.
      for (conversation, id) in context.markedUnread where positions[conversation] != nil {
        try? context.store.markUnread(conversation, from: id)
      }
      return Effects()
    case .written(let message, let id, let conversation):
      context.noteWritten(message, as: id, in: conversation)
      return Effects()
    case .progress(let text):
      transfer = text
      return Effects()
    case .done(let text): return Effects(.notice(text))
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
