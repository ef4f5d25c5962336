internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

extension Follower {
  func takeDue(_ isCancelled: () -> Bool) throws {
    let time = now()
    let due = pending.values.filter { ($0.due ?? 0) <= time }.sorted(by: FollowedFile.comesBefore)
    guard !due.isEmpty else { return }
    defer { roundEnd = now() + min((now() - time) * Timing.roundRest, Timing.soon) }
    for source in sources {
      let own = due.filter { $0.source === source }
      guard !own.isEmpty, !isCancelled() else { continue }
      // The messages of a commit appear at once, so rounds are kept short.
      for start in stride(from: 0, to: own.count, by: Timing.roundFileCount) where !isCancelled() {
        let round = SourceRound(of: source.stored, in: store, zone: source.options.timeZone, maker)
        var last = own[start]
        do {
          for file in own[start..<min(start + Timing.roundFileCount, own.count)] where !isCancelled() {
            last = file
            try take(file, in: round, isCancelled)
          }
          try round.flush(isCancelled)
          let (number, formats) = try round.finish(isCancelled: isCancelled)
          (source.stored.importNumber, source.stored.formats) = (number, formats)
          if round.wasTakenBack { forgetAll(of: source) }
          endStoreTrouble()
        } catch let error as StoreError {
          tell(of: round, at: last)
          source.stored.importNumber = round.importNumber
          if round.wasTakenBack { forgetAll(of: source) }
          try handle(error, own)
          return
        }
      }
    }
  }

  private func tell(of round: SourceRound, at file: FollowedFile) {
    let (added, updated) = round.untold()
    guard added + updated > 0 else { return }
    report(.took(file.source.stored, path: file.found.path, added: added, updated: updated))
  }

  /// Waits for a store that fails; files that were read are read again, since it is unknown what was added.
  private func handle(_ error: StoreError, _ files: [FollowedFile]) throws {
    try wait(for: error)
    for file in files {
      file.forget()
      file.due = now() + Timing.store
      pending[ObjectIdentifier(file)] = file
    }
  }

  private func forgetAll(of source: FollowedSource) {
    for file in source.files.values {
      file.forget()
      schedule(file)
    }
  }

  private func take(_ file: FollowedFile, in round: SourceRound, _ isCancelled: () -> Bool) throws {
    pending[ObjectIdentifier(file)] = nil
    file.due = nil
    let start = now()
    guard let facts = FileFacts(of: file.found.path, hasLog: true) else {
      file.source.scanSoon()
      return
    }
    do {
      if file.nature == nil || file.nature == .empty {
        file.nature = try FileNature(of: file.found, options: file.source.options)
        if file.nature == .database { databases[ObjectIdentifier(file)] = file }
        if file.nature == .document, quiet(file) > Timing.lines {
          schedule(file)
          return
        }
      }
      if try waits(file) { return }
      let isGrowing = isGrowing(file, facts)
      if isGrowing, try OpenFile(path: file.found.path).isArchive {
        // An archive cannot be read before it is complete.
        file.growsSince = nil
        schedule(file)
        return
      }
      file.growsSince = nil
      let then = { (result: SourceRound.Result) in
        file.cost = self.now() - start
        file.readAt = self.now()
        isGrowing ? self.pause(file, facts, result) : self.end(file, facts, result)
      }
      switch file.nature {
      case nil, .empty: then(SourceRound.Result())
      case .lines: try takeLines(file, facts, in: round, isCancelled, then: then)
      case .database: then(try takeRows(file, in: round, isCancelled))
      case .document, .session: then(try takeAll(file, in: round, isCancelled))
      }
    } catch let error as InterchangeError {
      file.forget()
      file.cost = now() - start
      file.readAt = now()
      file.trouble = error.cause ?? error.summary
      tell(file.source, at: file.found.path, error.cause ?? error.summary)
    }
  }

  /// Whether a session is incomplete because its program is still writing it.
  private func waits(_ file: FollowedFile) throws(InterchangeError) -> Bool {
    guard file.nature == .session, !file.isHalf else { return false }
    let start = now()
    guard try !OpenFile(path: file.found.path).isWholeJSON else { return false }
    file.isHalf = true
    (file.cost, file.readAt) = (now() - start, now())
    schedule(file)
    return true
  }

  private func isGrowing(_ file: FollowedFile, _ facts: FileFacts) -> Bool {
    guard file.nature == .document || file.isHalf, let since = file.growsSince else { return false }
    return now() - since >= Timing.growth && age(of: facts) < Timing.settling
  }

  /// Ends the reading of a growing export; errors of its last record are reported once it stops growing.
  private func pause(_ file: FollowedFile, _ facts: FileFacts, _ result: SourceRound.Result) {
    tell(of: result, at: file)
    if isOnce { note(file, facts) } else { schedule(file) }
  }

  private func tell(of result: SourceRound.Result, at file: FollowedFile) {
    guard result.added + result.updated > 0 else { return }
    report(
      .took(file.source.stored, path: file.found.path, added: result.added, updated: result.updated))
  }

  private func end(_ file: FollowedFile, _ facts: FileFacts, _ result: SourceRound.Result) {
    let path = file.found.path
    tell(of: result, at: file)
    guard result.isWhole else { return }
    if let whole = result.skipped.first(where: { $0.scope == .file }), result.added + result.updated == 0,
      file.live == nil
    {
      return fail(file, facts, whole.reason(in: words))
    }
    if result.skippedCount > file.toldSkips, let first = result.skipped.first {
      report(
        .skipped(
          file.source.stored, path: path, count: result.skippedCount - file.toldSkips,
          first: first.description))
    }
    file.toldSkips = file.live == nil ? result.skippedCount : 0
    if file.trouble != nil {
      file.trouble = nil
      mend(file.source, at: path)
    }
    note(file, facts)
  }

  private func fail(_ file: FollowedFile, _ facts: FileFacts, _ reason: String) {
    file.trouble = reason
    tell(file.source, at: file.found.path, reason)
    note(file, facts)
  }

  private func note(_ file: FollowedFile, _ facts: FileFacts) {
    file.taken = facts
    defer { file.source.remember(file) }
    nextWriting = min(nextWriting, now() + Timing.writing)
    // It may have changed while it was read.
    let hasLog = file.nature == .database
    if let present = FileFacts(of: file.found.path, hasLog: hasLog) {
      if !hasLog {
        file.taken?.logByteCount = 0
        file.taken?.logChangedAt = 0
      }
      file.seen = present
      if present != file.taken { schedule(file) }
    }
  }

  private func takeAll(
    _ file: FollowedFile, in round: SourceRound, _ isCancelled: () -> Bool
  ) throws -> SourceRound.Result {
    var reader = try ImportReader(file.found, endingAt: nil, options: file.source.present)
    return try round.take(&reader, isCancelled: isCancelled)
  }

  private func takeRows(
    _ file: FollowedFile, in round: SourceRound, _ isCancelled: () -> Bool
  ) throws -> SourceRound.Result {
    let start = now()
    var options = file.source.present
    let isWholeDue =
      start - file.readWholeAt > max(Timing.wholeDatabase, file.wholeCost * Timing.wholeShare)
    if let row = file.newestRow, !isWholeDue { options.rowsAfter = row - Timing.rowMargin }
    var reader = try ImportReader(file.found, endingAt: nil, options: options)
    let result = try round.take(&reader, isCancelled: isCancelled)
    if options.rowsAfter == nil { (file.readWholeAt, file.wholeCost) = (now(), now() - start) }
    // Lower row ids mean another database.
    let isOlder = reader.newestRow ?? 0 < file.newestRow ?? 0
    file.newestRow = result.isWhole && !isOlder ? reader.newestRow : nil
    if isOlder { schedule(file) }
    return result
  }

  private func takeLines(
    _ file: FollowedFile, _ facts: FileFacts, in round: SourceRound, _ isCancelled: () -> Bool,
    then: @escaping (SourceRound.Result) -> Void
  ) throws {
    let open = try OpenFile(path: file.found.path)
    guard let live = file.live else {
      return try begin(file, facts, open, in: round, isCancelled, then: then)
    }
    if live.facts.isSameFile(as: facts), live.isBeginning(of: open) {
      return try goOn(file, in: round, isCancelled, then: then)
    }
    // The file was replaced or truncated: first read the remaining lines of the old one.
    var former = SourceRound.Result()
    if !live.facts.isSameFile(as: facts) {
      try goOn(file, in: round, isCancelled) { former = $0 }
      try round.flush(isCancelled)
    }
    file.formerTail = live.hasSameHead(as: open) ? nil : file.live?.tail ?? live.tail
    file.source.keepFormer(of: file.found.path)
    file.mark = nil
    file.live = nil
    // A rotated part may lie beside it.
    file.source.scanSoon()
    let nature = try FileNature(of: file.found, options: file.source.options)
    if nature != .empty, nature != .lines {
      file.nature = nature
      schedule(file)
      return then(former)
    }
    try begin(file, facts, open, in: round, isCancelled) { more in
      former.added += more.added
      former.updated += more.updated
      former.skipped += more.skipped
      former.skippedCount += more.skippedCount
      former.isWhole = more.isWhole
      then(former)
    }
  }

  private func begin(
    _ file: FollowedFile, _ facts: FileFacts, _ open: OpenFile, in round: SourceRound,
    _ isCancelled: () -> Bool, then: @escaping (SourceRound.Result) -> Void
  ) throws {
    let lines = open.endOfLines(from: 0)
    let end = takesLastLine(facts, open, from: lines) ? open.byteCount : lines
    guard end > 0 else { return then(SourceRound.Result()) }
    let reader = try ImportReader(file.found, endingAt: end, options: file.source.present)
    if file.source.remembered[file.found.path]?.mark?.isBeginning(of: open) == false {
      file.source.keepFormer(of: file.found.path)
    }
    let tail = file.formerTail ?? rotatedTail(of: file, open)
    try round.take(
      reader, tail: tail, byteCount: waitingByteCount(end, of: file), isCancelled: isCancelled
    ) { reader, result in
      defer { then(result) }
      file.formerTail = nil
      if result.isWhole { file.mark = FileMark(of: open, upTo: end) }
      guard result.isWhole, reader.canGoOn, end == lines else { return }
      var live = LiveFile(reader, facts, at: end)
      (live.file, live.tail) = (result.file, result.tail)
      live.mark(in: open)
      self.keep(live, of: file)
    }
  }

  private func goOn(
    _ file: FollowedFile, in round: SourceRound, _ isCancelled: () -> Bool,
    then: @escaping (SourceRound.Result) -> Void
  ) throws {
    guard var live = file.live, let open = live.reader.openFile else { return then(SourceRound.Result()) }
    let lines = open.endOfLines(from: live.position)
    let takesLast = takesLastLine(live.facts, open, from: lines)
    let end = takesLast ? open.byteCount : lines
    guard end > live.position else { return then(SourceRound.Result()) }
    // If reading fails, the reader cannot continue.
    file.live = nil
    live.reader.goOn(to: end, latest: file.source.present.latest)
    let (facts, described) = (live.facts, live.file)
    try round.take(
      live.reader, file: described, tail: live.tail,
      byteCount: waitingByteCount(end - live.position, of: file), isCancelled: isCancelled
    ) { reader, result in
      defer { then(result) }
      guard result.isWhole, reader.canGoOn, !takesLast else { return }
      var live = LiveFile(reader, facts, at: end)
      (live.file, live.tail) = (described, result.tail)
      live.mark(in: open)
      file.mark = live.mark
      self.keep(live, of: file)
    }
  }

  /// A rotated part waits for no other file: the log that follows goes on where it ends.
  private func waitingByteCount(_ byteCount: Int64, of file: FollowedFile) -> Int64 {
    file.found.log == nil ? byteCount : .max
  }

  private func rotatedTail(of file: FollowedFile, _ open: OpenFile) -> FileTail? {
    let parts = file.source.files.values.filter { $0.found.log == file.found.path && $0.live != nil }
    let last = parts.max { ($0.seen?.changedAt ?? 0) < ($1.seen?.changedAt ?? 0) }
    guard let live = last?.live, !live.hasSameHead(as: open) else { return nil }
    return live.tail
  }

  /// Whether to read a last line without a line end: it is complete JSON, or old enough.
  private func takesLastLine(_ facts: FileFacts, _ open: OpenFile, from start: Int64) -> Bool {
    guard open.byteCount > start else { return false }
    if open.hasWholeLine(from: start) { return true }
    return age(of: facts) > Timing.lastLine
  }

  private func keep(_ live: LiveFile, of file: FollowedFile) {
    file.live = live
    liveFiles.removeAll { $0 === file }
    liveFiles.append(file)
    if liveFiles.count > mostLive { liveFiles.removeFirst().live = nil }
  }
}
