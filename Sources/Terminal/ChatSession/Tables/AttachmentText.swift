package import MessageModel
internal import TerminalText

package enum AttachmentText {
  /// `photo.jpg  image/jpeg  2.1 MB  4000 × 3000`
  package static func text(of file: Message.Attachment) -> String {
    var parts = [file.name, file.mediaType ?? "", file.byteCount.map { NumberText.bytes($0) } ?? ""]
    if let size = file.pixelSize { parts.append("\(size.width) × \(size.height)") }
    if let duration = file.durationMilliseconds { parts.append("\(duration / 1_000) s") }
    if !file.isStored { parts.append("(not in the store)") }
    if case .refused(let reason) = file.pictures { parts.append("(no thumbnail: \(reason.rawValue))") }
    return parts.filter { !$0.isEmpty }.map { VisibleText.of($0, keepsTabs: false) }.joined(separator: "  ")
  }
}
