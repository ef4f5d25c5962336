package import MessageModel
package import MessageStorage

extension SynchronousMessageStore {
  /// Makes missing thumbnails. Errors are ignored: the next call retries.
  package func makeMissingPictures(by maker: (any PictureMaker)?, isCancelled: () -> Bool = { false }) {
    guard let maker else { return }
    _ = try? makePictures(by: maker) { _ in !isCancelled() }
  }
}
