internal import ChatSession
internal import Foundation
internal import MessageModel
internal import MessageStorage

/// A backup encrypted by `age`: a tar archive of a store and its attachments. The key's owner can open it
/// without this program, with `age -d` and `tar`.
struct SealedBackup {
  private let shell: Shell
  private let file: String

  init(_ file: String, in shell: Shell) {
    (self.file, self.shell) = (file, shell)
  }

  private static let program = "age"
  private static let heads = ["age-encryption.org/", "-----BEGIN AGE ENCRYPTED FILE-----"]
  private static let purpose = "sealed"

  var isSealed: Bool {
    guard let handle = FileHandle(forReadingAtPath: file) else { return false }
    defer { try? handle.close() }
    let start = (try? handle.read(upToCount: 64)) ?? Data()
    return Self.heads.contains { start.starts(with: $0.utf8) }
  }

  /// Encrypts a checked copy of a store for keys as `age` takes them, or files of such keys; returns the
  /// number of messages.
  func pack(_ store: SynchronousMessageStore, for recipients: [String], _ tell: (String) -> Bool) throws
    -> Int
  {
    let doing = "cannot back up '\(store.path)' to '\(file)'"
    try StoreFiles(ofStoreAt: store.path).spare(file, doing: doing)
    guard access(file, F_OK) != 0 else {
      throw StoreError(.alreadyExists, doing, cause: "there is such a file", remedy: "another name")
    }
    try requireProgram()
    let stage = try StageFolder(beside: store.path, for: Self.purpose)
    defer { stage.remove() }
    let count = try store.backup(to: stage.store) {
      tell($0 < 1 ? "\(Int($0 * 100)) %" : "checking the copy")
    }
    if access(stage.attachments, F_OK) != 0 { mkdir(stage.attachments, 0o700) }
    guard tell("encrypting") else { throw StoreError(.cancelled, doing, cause: "stopped on request") }
    PartFile.sweep(beside: file)
    let part = PartFile.path(for: file)
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StoreError(.cannotCreate, doing, cause: String(cString: strerror(errno)))
    }
    let leftover = Leftover(part)
    defer { withExtendedLifetime(leftover) { _ = close(descriptor) } }
    do {
      try pipe(
        ["tar", "-C", stage.path, "-cf", "-", StageFolder.storeName, StageFolder.attachmentsName],
        into: [Self.program, "--encrypt"] + recipients.flatMap(Self.option), writing: descriptor, doing)
      guard fsync(descriptor) == 0 else { throw StoreError(.inputOutput, doing) }
    } catch {
      unlink(part)
      throw error
    }
    try PartFile.become(file, doing: doing)
    return count
  }

  /// Decrypts the backup into a folder beside its target, which the caller removes.
  func unpack(beside target: String, by identities: [String]) throws -> StageFolder {
    let doing = "cannot restore '\(target)' from '\(file)'"
    guard !identities.isEmpty else {
      throw UsageError(
        doing, cause: "it is encrypted by age", remedy: .words("--identity FILE, the file with the key"))
    }
    try requireProgram()
    let stage = try StageFolder(beside: target, for: Self.purpose)
    do {
      try pipe(
        [Self.program, "--decrypt"] + identities.flatMap { ["-i", $0] } + ["--", file],
        into: ["tar", "-C", stage.path, "--no-same-owner", "-xf", "-"]
          + [StageFolder.storeName, StageFolder.attachmentsName], writing: nil, doing)
      try stage.checkKinds(doing: doing)
      return stage
    } catch {
      stage.remove()
      throw error
    }
  }

  private func requireProgram() throws {
    guard Tool.path(of: Self.program, in: shell.environment) == nil else { return }
    throw UsageError(
      "cannot encrypt or decrypt without the program age", cause: "it is not installed",
      remedy: .words("the package age of your system, or https://age-encryption.org"), status: .noSuchFile)
  }

  private func pipe(_ first: [String], into second: [String], writing output: Int32?, _ doing: String) throws
  {
    do { try Tool.pipe(first, into: second, in: shell, writing: output) } catch let failure as Tool.Failure {
      if Interruption.isAskedFor { throw StoreError(.cancelled, doing, cause: "stopped on request") }
      throw UsageError(doing, cause: failure.complaint, status: .unreadableInput)
    }
  }

  /// Returns the option for a key (`age1…`, `ssh-…`), or for a file of keys.
  private static func option(_ recipient: String) -> [String] {
    ["age1", "ssh-"].contains { recipient.hasPrefix($0) } ? ["-r", recipient] : ["-R", recipient]
  }
}
