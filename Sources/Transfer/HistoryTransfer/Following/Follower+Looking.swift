internal import MessageInterchange
internal import MessageModel
internal import MessageStorage

extension Follower {
  func scan() {
    for source in sources where source.scanAt <= now() {
      let start = now()
      source.scanAt = .infinity
      scan(source)
      let cost = now() - start
      source.restUntil = now() + cost * Timing.scanRest
      let interval = min(max(Timing.look, cost * Timing.share), Timing.scan)
      source.scanAt = min(source.scanAt, now() + (source.isWatched ? Timing.scan : interval))
    }
  }

  private func scan(_ source: FollowedSource) {
    let path = source.stored.path
    do throws(InterchangeError) {
      let book = source.logBook
      var scan = try FolderScan(path, knowing: book)
      // Watch before scanning, so that no change falls between.
      if watch(scan, for: source) { scan = try FolderScan(path, knowing: book) }
      source.isFolder = !scan.folders.isEmpty
      mend(source, at: path)
      for (folder, reason) in scan.obstacles { tell(source, at: folder, reason) }
      for folder in scan.folders where folder != path { mend(source, at: folder) }
      var found = scan.files
      if source.isFolder == false { found += rotated(of: source) }
      found.removeAll { isOwn($0.realPath) }
      for file in found { look(at: follow(file, of: source)) }
      let there = Set(found.map(\.path))
      for file in source.files.values where !there.contains(file.found.path) { miss(file) }
      noteGone(in: source)
      source.missingSince = nil
    } catch {
      if source.missingSince == nil { source.missingSince = source.isFolder == nil ? -.infinity : now() }
      source.isFolder = nil
      source.isWatched = false
      nextLook = min(nextLook, now() + Timing.look)
      // A rotated part of a log may have unread lines, though the new log does not exist yet.
      for file in rotated(of: source) { look(at: follow(file, of: source)) }
      guard now() - (source.missingSince ?? 0) >= Timing.absence else { return }
      for file in source.files.values where file.found.log == nil { file.live = nil }
      tell(source, at: path, error.cause ?? error.summary)
    }
  }

  private func isOwn(_ path: String) -> Bool { path.hasPrefix(ownPath) && store.files.include(path) }

  /// Waits before a missing file counts as gone: another may take its name, and the old one may have unread
  /// lines.
  private func miss(_ file: FollowedFile) {
    let since = file.missingSince ?? now()
    file.missingSince = since
    if now() - since >= Timing.absence {
      lose(file)
    } else {
      file.source.scanAt = min(file.source.scanAt, since + Timing.absence)
    }
  }

  private func watch(_ scan: FolderScan, for source: FollowedSource) -> Bool {
    var folders = scan.folders
    if folders.isEmpty { folders = [Self.folder(of: source.stored.path)] }
    var isNew = false
    source.isWatched = true
    for folder in folders {
      if owners[folder]?.contains(where: { $0 === source }) != true {
        owners[folder, default: []].append(source)
        isNew = true
      }
      if !events.watch(folder) { source.isWatched = false }
    }
    return isNew
  }

  private static func folder(of path: String) -> String {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return folder.isEmpty ? "/" : folder
  }

  private func rotated(of source: FollowedSource) -> [FoundFile] {
    let path = source.stored.path
    let began = source.stored.addedAt.millisecondsSince1970 * 1_000_000
    guard source.files[path]?.nature == .lines || source.remembered[path] != nil else { return [] }
    return FolderScan.files(beside: FoundFile(at: path), knowing: source.logBook).filter {
      FileFacts(of: $0.path)?.changedAt ?? 0 >= began
    }
  }

  private func follow(_ found: FoundFile, of source: FollowedSource) -> FollowedFile {
    if let known = source.files[found.path] {
      known.found = found
      return known
    }
    let file = FollowedFile(found, of: source)
    source.files[found.path] = file
    return file
  }

  private func lose(_ file: FollowedFile) {
    file.source.files[file.found.path] = nil
    pending[ObjectIdentifier(file)] = nil
    databases[ObjectIdentifier(file)] = nil
    liveFiles.removeAll { $0 === file }
  }

  /// Counts imported files that are gone. Their messages stay: programs delete old files. Gone files are
  /// remembered, since they may reappear; beyond a limit the oldest are forgotten, except logs that may
  /// reappear under another name.
  private func noteGone(in source: FollowedSource) {
    var gone = source.gonePaths
    if gone.count > Timing.goneFileCount {
      let oldest = gone.sorted { source.changedAt($0) < source.changedAt($1) }
        .prefix(gone.count - Timing.goneFileCount)
      for path in oldest where forget(path, of: source) {
        gone.remove(path)
        source.stored.goneEarlierCount = (source.stored.goneEarlierCount ?? 0) + 1
      }
    }
    guard gone.count != source.stored.goneCount ?? 0 else { return }
    source.stored.goneCount = gone.count
    source.hasNews = true
    nextWriting = min(nextWriting, now() + Timing.writing)
  }

  /// Forgets a file that is gone, unless it is a recently changed log; returns whether it did.
  private func forget(_ path: String, of source: FollowedSource) -> Bool {
    guard let known = source.remembered[path], known.mark == nil || age(of: known.facts) >= Timing.memory
    else { return false }
    source.remembered[path] = nil
    source.unwritten.insert(path)
    return true
  }

  func age(of facts: FileFacts) -> Double {
    Double(systemTime().millisecondsSince1970) / 1_000 - Double(facts.changedAt) / 1_000_000_000
  }

  ///
  /// - Parameter isToldOf: Whether there was an event about it.
  func look(at file: FollowedFile, isToldOf: Bool = false) {
    let path = file.found.path
    let mayHaveLog = file.nature == nil || file.nature == .database
    guard let facts = FileFacts(of: path, hasLog: mayHaveLog) else {
      if file.seen != nil { file.source.scanSoon() }
      file.seen = nil
      return
    }
    file.missingSince = nil
    if file.seen == facts, file.trouble == nil || file.taken == facts { return }
    // Retry an unreadable file now and then, or when its permissions may have changed.
    if file.seen == facts, !isToldOf, now() < file.readAt + Timing.trouble { return }
    let isFirst = file.seen == nil && file.taken == nil
    file.seen = facts
    if isFirst, let known = file.source.remembered[path], known.facts == facts {
      (file.taken, file.mark) = (facts, known.mark)
      noteDatabase(file)
      return
    }
    guard file.taken != facts else { return }
    file.isHalf = false
    schedule(file)
  }

  private func noteDatabase(_ file: FollowedFile) {
    guard (try? OpenFile(path: file.found.path))?.isDatabase == true else { return }
    file.nature = .database
    databases[ObjectIdentifier(file)] = file
  }

  func schedule(_ file: FollowedFile) {
    let time = now()
    let rest = file.readAt + file.cost * Timing.share(of: file.nature)
    switch file.nature {
    case nil, .empty, .lines: file.due = file.due ?? max(time + Timing.lines, rest)
    case .database: file.due = file.due ?? max(time + Timing.lines, rest)
    case .document, .session:
      let since = file.growsSince ?? time
      file.growsSince = since
      let longest = file.nature == .session && !file.isHalf ? Timing.sessionWait : Timing.growth
      file.due = max(min(time + quiet(file), max(since + longest, time)), rest)
    }
    pending[ObjectIdentifier(file)] = file
  }

  /// Returns how long a file must be unchanged to count as complete. One unchanged for longer already is; a
  /// session is checked for completeness.
  func quiet(_ file: FollowedFile) -> Double {
    if file.nature == .session, !file.isHalf { return Timing.session }
    guard let facts = file.seen else { return Timing.settling }
    return age(of: facts) > Timing.rest && file.readAt < 0 ? Timing.lines : Timing.settling
  }
}
