internal import Foundation
package import MessageInterchange
package import MessageModel
package import MessageStorage

/// Takes in what is in files and folders, and then what comes.
///
/// It does one thing after the other on the thread of whoever calls it: ``step(isCancelled:)`` does what is due,
/// ``timeToNext()`` says how long there is nothing to do, unless ``descriptor`` can be read. What it has taken in is in the
/// store when a step returns. How far a file was read is remembered to save work alone: what is read again is known again.
package final class Follower {
  let store: SynchronousMessageStore
  /// The path of the store itself, which is not followed.
  let ownPath: String
  /// Whether it is to end by itself, so that nothing is waited for without an end.
  let isOnce: Bool
  let now: () -> Double
  let report: (FollowEvent) -> Void
  /// Makes the small pictures of what comes in.
  let maker: (any PictureMaker)?
  /// Says a way out in the words of whoever is told.
  let words: (Remedy) -> String
  let events: FolderEvents
  var sources: [FollowedSource] = []
  /// The files that are to be read at some time, by their paths within each source.
  var pending: [ObjectIdentifier: FollowedFile] = [:]
  /// The files that are looked at again and again: programs may write to databases without an event.
  var databases: [ObjectIdentifier: FollowedFile] = [:]
  /// The sources to which a folder belongs.
  var owners: [String: [FollowedSource]] = [:]
  /// The files whose readers are kept, the one used last at the end.
  var liveFiles: [FollowedFile] = []
  var nextLook = 0.0
  var nextWriting = Double.infinity
  /// No round is begun before, since the store took nothing.
  var pauseEnd = -Double.infinity
  var storeTrouble: String?
  /// The moment since which the store takes nothing; `nil` if it does.
  var storeTroubleSince: Double?
  private var hasCaughtUp = false

  typealias Timing = FollowTiming

  /// Prepares to follow sources.
  ///
  /// - Parameters:
  ///   - sources: The sources, each with the options that it is read with.
  ///   - areEventsTold: Whether the system is asked to tell of changes; without that they are looked for.
  ///   - isOnce: Whether it is to end by itself: a store that takes nothing is waited for half a minute then.
  ///   - maker: Makes the small pictures of what comes in; `nil` to leave them.
  ///   - now: A clock that only goes forward, in seconds.
  ///   - words: Returns how a way out is said to whoever is told.
  ///   - report: Told of what happens.
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package init(
    _ sources: [(source: StoredSource, options: ImportOptions)], in store: SynchronousMessageStore,
    areEventsTold: Bool = true, isOnce: Bool = false, makingPicturesBy maker: (any PictureMaker)? = nil,
    now: @escaping () -> Double = FollowTiming.uptime,
    words: @escaping (Remedy) -> String = { $0.description }, report: @escaping (FollowEvent) -> Void
  ) throws {
    self.store = store
    events = FolderEvents(areTold: areEventsTold)
    self.isOnce = isOnce
    self.maker = maker
    self.now = now
    self.report = report
    self.words = words
    ownPath = FoundFile(at: store.path).realPath
    try follow(sources)
  }

  /// Follows these sources from now on, and no others.
  ///
  /// - Throws: ``StoreError`` of kind `damaged`, `busy` or `inputOutput`.
  package func follow(_ wanted: [(source: StoredSource, options: ImportOptions)]) throws {
    for source in sources {
      if !wanted.contains(where: { $0.source.followedAs == source.stored.followedAs }) { drop(source) }
    }
    for (stored, options) in wanted where !sources.contains(where: { $0.stored.id == stored.id }) {
      let source = FollowedSource(stored, options)
      source.remembered = try store.files(of: stored).compactMapValues { RememberedFile($0) }
      sources.append(source)
    }
  }

  private func drop(_ source: FollowedSource) {
    sources.removeAll { $0 === source }
    for file in source.files.values {
      pending[ObjectIdentifier(file)] = nil
      databases[ObjectIdentifier(file)] = nil
      liveFiles.removeAll { $0 === file }
    }
    for (folder, others) in owners { owners[folder] = others.filter { $0 !== source } }
  }

  /// The descriptor that can be read when something has happened; `nil` if it must be looked for.
  package var descriptor: Int32? { events.descriptor >= 0 ? events.descriptor : nil }

  /// The number of files that are followed.
  package var fileCount: Int { sources.reduce(0) { $0 + $1.files.count } }

  /// Whether everything that is there has been taken in.
  package var isCaughtUp: Bool { pending.isEmpty && !sources.contains { $0.scanAt <= now() } }

  /// Returns the seconds until something is due.
  package func timeToNext() -> Double {
    var next = max(nextWriting, pauseEnd)
    if !databases.isEmpty || sources.contains(where: { $0.isFolder == nil }) { next = min(next, nextLook) }
    for file in pending.values { next = min(next, max(file.due ?? .infinity, pauseEnd)) }
    for source in sources { next = min(next, source.scanAt) }
    return max(next - now(), 0)
  }

  /// Does what is due.
  ///
  /// - Parameter isCancelled: Whether to stop at a whole batch.
  /// - Throws: ``StoreError`` if the store can take nothing any more. Faults of a source are told instead.
  package func step(isCancelled: () -> Bool = { false }) throws {
    takeEvents()
    let time = now()
    if time >= nextLook { lookAgain() }
    scan()
    if time >= pauseEnd { try takeDue(isCancelled) }
    if now() >= max(nextWriting, pauseEnd) { try writeDown() }
    tellOfCatchingUp()
  }

  /// Writes down how far everything was read, or tries it again later if the store takes nothing for now.
  ///
  /// - Throws: ``StoreError`` if the store can take nothing any more.
  package func writeDown() throws {
    nextWriting = .infinity
    do {
      try writeDownNow()
      endStoreTrouble()
    } catch let error as StoreError {
      try wait(for: error)
      nextWriting = pauseEnd
    }
  }

  /// Waits for a store that others use, or that has no room.
  ///
  /// - Throws: The error itself if it will not pass, or has not for as long as is waited.
  func wait(for error: StoreError) throws {
    guard error.mayPass else { throw error }
    let since = storeTroubleSince ?? now()
    storeTroubleSince = since
    if isOnce, now() - since >= Timing.storeTrouble { throw error }
    pauseEnd = now() + Timing.store
    let reason = error.cause ?? error.summary
    if storeTrouble != reason { report(.storeTrouble(reason)) }
    storeTrouble = reason
  }

  func endStoreTrouble() { (storeTrouble, storeTroubleSince) = (nil, nil) }

  private func writeDownNow() throws {
    for source in sources where source.hasNews || !source.unwritten.isEmpty || source.stored.seenAt == nil {
      let files = source.unwritten.map { ($0, source.remembered[$0]?.description) }
      guard source.hasNews || !files.isEmpty || isCaughtUp else { continue }
      let stored = source.stored
      let seen = isCaughtUp && source.troubles.isEmpty ? systemTime() : stored.seenAt
      let written = try store.updateSource(stored.id, files: Dictionary(uniqueKeysWithValues: files)) {
        $0.importNumber = stored.importNumber
        $0.formats = stored.formats
        $0.seenAt = seen
        $0.trouble = source.troubles[stored.path]
        $0.goneCount = stored.goneCount
        $0.goneEarlierCount = stored.goneEarlierCount
      }
      if let written { source.stored = written }
      source.unwritten = []
      source.hasNews = false
    }
  }

  // MARK: What happens

  private func takeEvents() {
    for event in events.taken() {
      switch event {
      case .file(let folder, let name):
        for source in owners[folder] ?? [] { noteEvent(in: folder, name, of: source) }
      case .folders(let folder):
        for source in owners[folder] ?? sources { source.scanSoon() }
      case .overflow: for source in sources { source.scanSoon() }
      }
    }
  }

  private func noteEvent(in folder: String, _ name: String, of source: FollowedSource) {
    let owner = FolderScan.database(besideWhichLies: name) ?? name
    let path = folder.hasSuffix("/") ? folder + owner : "\(folder)/\(owner)"
    if let file = source.files[path] {
      look(at: file, isToldOf: true)
      // Two commits of one moment look alike.
      if file.nature == .database { schedule(file) }
    } else if path != ownPath, !FolderScan.isPassedOver(name),
      source.isFolder == true || path == source.stored.path || isRotated(name, of: source)
    {
      source.scanSoon()
    }
  }

  /// Whether a file beside a log that is followed alone may be one that was rotated away.
  private func isRotated(_ name: String, of source: FollowedSource) -> Bool {
    guard source.isFolder == false, let log = source.files[source.stored.path], log.nature == .lines else {
      return false
    }
    let stem = log.found.name.split(separator: ".").first ?? ""
    return name.hasPrefix(stem)
  }

  private func lookAgain() {
    nextLook = now() + Timing.look
    for file in databases.values { look(at: file) }
    for source in sources where source.isFolder == nil { source.scanSoon() }
  }

  // MARK: Telling

  func tell(_ source: FollowedSource, at path: String, _ reason: String) {
    guard source.troubles.updateValue(reason, forKey: path) == nil else { return }
    noteNews(of: source, at: path)
    report(.trouble(source.stored, path: path, reason: reason))
  }

  func mend(_ source: FollowedSource, at path: String) {
    guard source.troubles.removeValue(forKey: path) != nil else { return }
    noteNews(of: source, at: path)
    report(.back(source.stored, path: path))
  }

  /// Has written down soon whether a source is there.
  private func noteNews(of source: FollowedSource, at path: String) {
    guard path == source.stored.path else { return }
    source.hasNews = true
    nextWriting = min(nextWriting, now() + Timing.writing)
  }

  private func tellOfCatchingUp() {
    guard isCaughtUp != hasCaughtUp else { return }
    hasCaughtUp = isCaughtUp
    if isCaughtUp {
      nextWriting = min(nextWriting, now() + Timing.writing)
      report(.caughtUp)
    }
  }
}

extension StoreError {
  /// Whether a store that took nothing may take it later: others use it, or its disk is full or fails.
  package var mayPass: Bool { [.busy, .noSpace, .suspended, .inputOutput].contains(kind) }
}
