#if Pictures
  package import MessageModel

  extension PictureShrinker {
    /// Returns all pixels of a picture in its full size, four bytes each: what a list does that has no thumbnails. For
    /// measuring against it.
    ///
    /// - Throws: ``PictureRefusal`` if the picture cannot be decoded.
    package static func pixels(of source: PictureSource) throws(PictureRefusal) -> [UInt8] {
      let picture = try DecodedPicture.decode(PictureInput(source), side: .max, memoryByteCount: .max).picture
      let count = picture.pixelSize.pixelCount * 4
      return Array(UnsafeBufferPointer(start: picture.image.pixels, count: count))
    }
  }
#endif
