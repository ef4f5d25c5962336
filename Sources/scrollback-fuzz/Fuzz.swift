internal import Foundation
internal import MessageInterchange
internal import MessageModel
internal import MessagePictures

/// The function that libFuzzer calls with bytes that it made up: they are imported as a file of one format, or decoded as
/// a picture.
///
/// The environment says which: `FORMAT`, `pictures` for those, or none to tell it by the content. A trap in any reader ends the run, as does
/// a message that does not hold together.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  if FuzzedPicture.isAskedFor { FuzzedPicture.read(bytes) } else { FuzzedImport.shared.read(bytes) }
  return 0
}

/// Small pictures made of what claims to be one.
enum FuzzedPicture {
  static let isAskedFor = ProcessInfo.processInfo.environment["FORMAT"] == "pictures"

  static func read(_ bytes: UnsafeRawBufferPointer) {
    guard let maker = PictureSupport.maker else { preconditionFailure("This build has no pictures.") }
    let limits = PictureLimits(thumbnailSide: 32, previewSide: 64, memoryByteCount: 40 << 20)
    guard let made = try? maker.pictures(of: .bytes(Array(bytes)), limits: limits) else { return }
    for picture in [made.thumbnail, made.preview ?? made.thumbnail] {
      precondition(max(picture.pixelSize.width, picture.pixelSize.height) <= 64, "It is too large.")
      precondition(PixelSize(header: picture.bytes) == picture.pixelSize, "It is not of its size.")
    }
  }
}

/// An import of one file again and again, each time with other bytes in it.
struct FuzzedImport: Sendable {
  static let shared = FuzzedImport()

  private let path: String
  private let options: ImportOptions

  private init() {
    let environment = ProcessInfo.processInfo.environment
    let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    // A name with a date, so that logs without one can be read, too.
    path = "\(memory)/fuzzed-\(ProcessInfo.processInfo.processIdentifier).2024-03-31.log"
    let format = environment["FORMAT"].flatMap { $0.isEmpty || $0 == "any" ? nil : $0 }
    options = ImportOptions(
      format: format, timeZone: TimeZone(identifier: "Europe/Berlin") ?? .gmt, me: "me", keepsOriginal: true)
  }

  func read(_ bytes: UnsafeRawBufferPointer) {
    guard let file = fopen(path, "w") else { return }
    fwrite(bytes.baseAddress, 1, bytes.count, file)
    fclose(file)
    guard var reader = try? ImportReader([path], options: options) else { return }
    var messageCount = 0
    while let event = reader.next() {
      if case .batch(let batch) = event {
        messageCount += batch.drafts.count
        check(batch)
      }
    }
    precondition(reader.progress.messageCount == messageCount, "Messages were lost on the way.")
    unlink(path)
  }

  private func check(_ batch: ImportedMessages) {
    let runs = batch.runs.flatMap { Array($0.drafts) }
    precondition(runs == Array(batch.drafts.drafts.indices), "The runs do not cover the messages.")
    for draft in batch.drafts.drafts {
      precondition(
        batch.drafts.conversations.indices.contains(Int(draft.conversation)), "No such conversation.")
      precondition(
        batch.drafts.string(draft.text)?.utf8.count == batch.drafts.withBytes(of: draft.text, \.count),
        "A text is not UTF-8.")
      _ = batch.drafts.string(draft.sender)
    }
  }
}
