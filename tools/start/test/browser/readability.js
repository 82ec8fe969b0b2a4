/** Evaluates in the page: whether it is dark, and its visible texts with less than the contrast of WCAG 2.2 (1.4.3). */
(() => {
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const mix = (below, [r, g, b, alpha = 1]) =>
    [r, g, b].map((channel, index) => channel * alpha + below[index] * (1 - alpha));
  const luminance = (color) => {
    const [r, g, b] = color
      .map((channel) => channel / 255)
      .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) =>
    element === null
      ? [255, 255, 255]
      : mix(background(element.parentElement), channels(getComputedStyle(element).backgroundColor));
  const contrast = (element) => {
    const below = background(element);
    const [dark, light] = [below, mix(below, channels(getComputedStyle(element).color))]
      .map(luminance)
      .sort((one, other) => one - other);
    return (light + 0.05) / (dark + 0.05);
  };
  const textOf = ({ childNodes, value }) =>
    value ||
    [...childNodes].map((node) => (node.nodeType === Node.TEXT_NODE ? node.data.trim() : '')).join('');

  return {
    dark: luminance(background(document.querySelector('main'))) < 0.1,
    lowContrast: [...document.body.querySelectorAll('*')]
      .filter((element) => textOf(element) !== '' && element.checkVisibility() && contrast(element) < 4.5)
      .map((element) => `${textOf(element)}: ${contrast(element).toFixed(1)}`),
  };
})();
