import HistoryModel
internal import MessageModel
internal import MessagePictures

/// Small pictures made of what claims to be one.
enum FuzzedPicture {
  static func read(_ bytes: UnsafeRawBufferPointer) {
    guard let maker = PictureSupport.maker else { mistake("This build has no pictures.") }
    let limits = PictureLimits(thumbnailSide: 32, previewSide: 64, memoryByteCount: 40 << 20)
    guard let made = try? maker.pictures(of: .bytes(Array(bytes)), limits: limits) else { return }
    for picture in [made.thumbnail, made.preview ?? made.thumbnail] {
      expect(max(picture.pixelSize.width, picture.pixelSize.height) <= 64, "It is too large.")
      expect(PixelSize(header: picture.bytes) == picture.pixelSize, "It is not of its size.")
    }
  }
}
