#if Pictures
  package import MessageModel

  extension PictureShrinker {
    /// Returns all pixels at full size, four bytes each, for measuring lists without thumbnails.
    package static func pixels(of source: PictureSource) throws(PictureRefusal) -> [UInt8] {
      let picture = try DecodedPicture.decode(PictureInput(source), side: .max, memoryByteCount: .max).picture
      let count = picture.pixelSize.pixelCount * 4
      return Array(UnsafeBufferPointer(start: picture.image.pixels, count: count))
    }
  }
#endif
