internal import Foundation
package import MessageInterchange
package import MessageModel
package import MessageStorage

/// Imports the content of files and folders, then whatever is added.
///
/// It works on the calling thread: ``step(isCancelled:)`` does what is due, and ``timeToNext()`` returns how
/// long to wait unless ``descriptor`` becomes readable. After a step, everything read is in the store. Saved
/// positions only save work: records read twice are recognised.
package final class Follower {
  let store: SynchronousMessageStore
  let ownPath: String
  let isOnce: Bool
  let now: () -> Double
  let report: (FollowEvent) -> Void
  let maker: (any PictureMaker)?
  let words: (Remedy) -> String
  let events: FolderEvents
  var sources: [FollowedSource] = []
  var pending: [ObjectIdentifier: FollowedFile] = [:]
  /// Polled files: programs may write to databases without an event.
  var databases: [ObjectIdentifier: FollowedFile] = [:]
  var owners: [String: [FollowedSource]] = [:]
  var liveFiles: [FollowedFile] = []
  var nextLook = 0.0
  var nextWriting = Double.infinity
  var pauseEnd = -Double.infinity
  var roundEnd = -Double.infinity
  /// The most files that stay open between rounds.
  let mostLive = Follower.mostLive
  var storeTrouble: String?
  var storeTroubleSince: Double?
  private var hasCaughtUp = false

  typealias Timing = FollowTiming

  /// - Parameters:
  ///   - sources: The sources, each with its options.
  ///   - areEventsTold: Whether to use the system's file events; otherwise it polls.
  ///   - isOnce: Whether it ends by itself: then it waits half a minute for a failing store.
  ///   - maker: Makes thumbnails and previews of imported pictures; `nil` for none.
  ///   - now: A monotonic clock, in seconds.
  ///   - words: Returns the text of a remedy for messages in events.
  ///   - report: Receives events.
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

  /// Readable when there are events; `nil` if it must be polled, or if something is due soon: many growing files would
  /// wake the caller for each line.
  package var descriptor: Int32? {
    guard events.descriptor >= 0, pending.isEmpty || timeToNext() > Timing.soon else { return nil }
    return events.descriptor
  }

  /// Raises the limit of open files of this process as far as the system lets it: growing files stay open, a quarter of
  /// the limit at most.
  package static func openManyFiles() {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0, limit.rlim_cur < 4 * rlim_t(liveFileCount) else { return }
    limit.rlim_cur = min(limit.rlim_max, 4 * rlim_t(liveFileCount))
    setrlimit(openFiles, &limit)
  }

  private static let liveFileCount = 4_096

  private static var mostLive: Int {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0 else { return 256 }
    return Int(min(limit.rlim_cur / 4, rlim_t(liveFileCount)))
  }

  #if os(Linux)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let openFiles = RLIMIT_NOFILE
  #endif

  package var fileCount: Int { sources.reduce(0) { $0 + $1.files.count } }

  /// Whether all present content was imported.
  package var isCaughtUp: Bool { pending.isEmpty && !sources.contains { $0.scanAt <= now() } }

  /// The seconds until something is due.
  package func timeToNext() -> Double {
    var next = max(nextWriting, pauseEnd)
    if !databases.isEmpty || sources.contains(where: { $0.isFolder == nil }) { next = min(next, nextLook) }
    for file in pending.values { next = min(next, max(file.due ?? .infinity, pauseEnd, roundEnd)) }
    for source in sources { next = min(next, source.scanAt) }
    return max(next - now(), 0)
  }

  /// Does what is due. Problems of a source are reported as events; throws only if the store can no longer be
  /// written.
  ///
  /// - Parameter isCancelled: Whether to stop after a whole batch.
  package func step(isCancelled: () -> Bool = { false }) throws {
    takeEvents()
    let time = now()
    if time >= nextLook { lookAgain() }
    scan()
    if time >= max(pauseEnd, roundEnd) { try takeDue(isCancelled) }
    if now() >= max(nextWriting, pauseEnd) { try writeDown() }
    tellOfCatchingUp()
  }

  /// Saves positions, or retries later if the store fails for now.
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

  /// Delays further work after a temporary failure of the store. Throws the error if it is permanent, or has
  /// lasted too long.
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
      if file.nature == .lines, pending[ObjectIdentifier(file)] != nil { return }
      look(at: file, isToldOf: true)
      // Two commits within one clock tick leave the same modification time.
      if file.nature == .database { schedule(file) }
    } else if path != ownPath,
      !FolderScan.isPassedOver(name, in: folder.split(separator: "/").map(String.init)),
      source.isFolder == true || path == source.stored.path || isRotated(name, of: source)
    {
      source.scanSoon()
    }
  }

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
  /// Whether a failed write may succeed later: the store is busy, or its disk is full or failing.
  package var mayPass: Bool { [.busy, .noSpace, .suspended, .inputOutput].contains(kind) }
}
