internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage

/// The way to the store of another computer: a remote shell for questions, rsync for files.
struct SyncLink {
  private let shell: Shell
  private let remoteShell: String
  private let program: String
  /// The other computer, as ssh takes it.
  private let host: String
  /// Whether it is named by an address of IPv6, which rsync takes in brackets.
  private let isAddress: Bool
  private let store: String?

  /// - Parameters:
  ///   - place: `host`, `host:store`, `user@host` or `[::1]:store`, as rsync writes it.
  ///   - remoteShell: A command and its options, parted by spaces.
  /// - Throws: ``UsageError`` if the place is none.
  init(to place: String, by remoteShell: String, program: String, in shell: Shell) throws(UsageError) {
    // A name that begins with a dash is an option for ssh and for rsync.
    guard let (host, store, isAddress) = Self.parted(place), !host.isEmpty, !host.hasPrefix("-"),
      !host.contains(where: { $0.isWhitespace || "/[]".contains($0) }),
      !remoteShell.allSatisfy(\.isWhitespace)
    else {
      throw UsageError(
        "cannot sync with '\(VisibleText.of(place))'", cause: "that names no other computer",
        remedy: .words("HOST, or HOST:STORE"))
    }
    (self.host, self.remoteShell, self.program, self.shell) = (host, remoteShell, program, shell)
    (self.isAddress, self.store) = (isAddress, store.isEmpty ? nil : store)
  }

  /// Parts a place into its computer, without brackets, and the store there; `nil` if a bracket is not closed.
  private static func parted(_ place: String) -> (host: String, store: String, isAddress: Bool)? {
    let user = place.prefix { $0 != "@" && $0 != "[" && $0 != ":" }
    var rest = place.dropFirst(user.count)
    var before = String(user)
    if rest.first == "@" {
      before += "@"
      rest = rest.dropFirst()
    }
    guard rest.first == "[", before.isEmpty || before.hasSuffix("@") else {
      let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "", false)
    }
    guard let close = rest.firstIndex(of: "]") else { return nil }
    let (address, behind) = (rest[..<close].dropFirst(), rest[close...].dropFirst())
    guard !address.isEmpty, behind.isEmpty || behind.first == ":" else { return nil }
    return (before + address, String(behind.dropFirst()), true)
  }

  /// Has the other computer do a step.
  ///
  /// - Throws: ``UsageError`` with what it complained of.
  func ask(_ step: SyncPeer.Step, expecting mark: String? = nil) throws -> SyncPeer.Answer {
    var command = [program, "sync", "--answer", step.rawValue]
    if let mark { command.append("--expecting=\(mark)") }
    if let store { command.append("--store=\(store)") }
    // The name of a computer is asked for by the command; it is this one.
    command += ["--", "localhost"]
    let line = command.map(Self.quoted).joined(separator: " ")
    let data = try run { try Tool.answer(shellWords + [host, line], in: shell) }
    guard let answer = try? JSONDecoder().decode(SyncPeer.Answer.self, from: data),
      answer.version == SyncPeer.version, answer.path.hasPrefix("/")
    else {
      throw UsageError(
        "cannot sync with '\(VisibleText.of(host))'",
        cause: "its scrollback does not answer as this one does",
        remedy: .words("the same version on both"), status: .unreadableInput)
    }
    return answer
  }

  /// Puts the store there in the place of the one here.
  ///
  /// - Returns: How many messages are in both.
  func fetch(into own: SyncPeer, _ here: SyncPeer.Answer) throws -> Int {
    let (source, stage) = (try ask(.prepare), try own.carryOut(.receive).stage ?? "")
    defer { _ = try? own.carryOut(.discard) }
    let name = StageFolder.storeName
    try copy(from: remote("\(source.stage ?? "")/\(name)"), to: "\(stage)/\(name)", Self.differences)
    if source.hasAttachments == true {
      try copy(
        from: remote(source.attachments + "/"), to: "\(stage)/\(StageFolder.attachmentsName)/",
        Self.contents(knownIn: here.hasAttachments == true ? here.attachments : nil))
    }
    let done = try own.carryOut(.replace, expecting: here.mark)
    _ = try ask(.discard)
    return done.state?.messages ?? 0
  }

  /// Puts the store here in the place of the one there.
  ///
  /// - Returns: How many messages are in both.
  func send(_ own: SyncPeer, replacing there: SyncPeer.Answer) throws -> Int {
    let (source, target) = (try own.carryOut(.prepare), try ask(.receive))
    defer { _ = try? own.carryOut(.discard) }
    let (name, stage) = (StageFolder.storeName, target.stage ?? "")
    try copy(from: "\(source.stage ?? "")/\(name)", to: remote("\(stage)/\(name)"), Self.differences)
    if source.hasAttachments == true {
      try copy(
        from: source.attachments + "/", to: remote("\(stage)/\(StageFolder.attachmentsName)/"),
        Self.contents(knownIn: target.hasAttachments == true ? target.attachments : nil))
    }
    return try ask(.replace, expecting: there.mark).state?.messages ?? 0
  }

  /// Only what differs is sent, whatever size and time say.
  private static let differences = ["--inplace", "--no-whole-file", "--ignore-times"]

  /// Contents bear the names of their checksums: of one name and size they are the same.
  private static func contents(knownIn folder: String?) -> [String] {
    ["--recursive", "--size-only"] + (folder.map { ["--compare-dest=\($0)"] } ?? [])
  }

  private func copy(from source: String, to target: String, _ options: [String]) throws {
    // Newer ones do so by themselves, and have no such option on a Mac.
    let odd = [source, target].contains {
      !$0.allSatisfy { $0.isLetter || $0.isNumber || "/._+-@:[]".contains($0) }
    }
    let words =
      ["rsync", "--chmod=D700,F600", "-e", remoteShell] + (odd ? ["-s"] : []) + options
      + ["--", source, target]
    _ = try run { try Tool.answer(words, in: shell) }
  }

  private func remote(_ path: String) -> String {
    guard isAddress else { return "\(host):\(path)" }
    let user = host.firstIndex(of: "@").map { host[...$0] } ?? ""
    return "\(user)[\(host.dropFirst(user.count))]:\(path)"
  }

  private var shellWords: [String] { remoteShell.split(whereSeparator: \.isWhitespace).map(String.init) }

  private func run<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let failure as Tool.Failure {
      let doing = "cannot sync with '\(VisibleText.of(host))'"
      if Interruption.isAskedFor { throw StoreError(.cancelled, doing, cause: "stopped on request") }
      throw UsageError(
        doing, cause: failure.complaint,
        remedy: failure.isNotFound ? .words("--program PATH, where scrollback is there") : nil,
        status: .inputOutput)
    }
  }

  /// Returns a word so that a shell takes it for one.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { ($0.isASCII && ($0.isLetter || $0.isNumber)) || "/._+-=@".contains($0) }
    return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
