// Generated from openapi.json by `npm run generate`; edits are lost.
export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a plant
         * @description The client chooses the id, so the request is safe to retry: a second request with the same plant returns 200 and changes nothing. A different plant with the same id is rejected with error 1004.
         */
        post: operations["createPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Plant: {
            /** @description The name of the plant. It must be well-formed Unicode (no lone surrogates), and is stored and returned unchanged. */
            name: string;
            /** @description Tag that specifies the type of the plant. It must be well-formed Unicode (no lone surrogates), and is stored and returned unchanged. */
            tag?: string;
        };
        /** @description Unknown fields are ignored: they are neither stored nor returned. However, a body that contains, at any depth, the key `__proto__` or a `constructor` with a `prototype` is rejected with error 1002. */
        NewPlant: {
            /**
             * Format: int64
             * @description Identification number of the plant: any JSON number whose exact value is an integer from -9223372036854775808 to 9223372036854775807. The service never rounds it.
             */
            id: bigint;
            name: components["schemas"]["Plant"]["name"];
            tag?: components["schemas"]["Plant"]["tag"];
        };
        Error: {
            /**
             * Format: int32
             * @description The error code. Clients can depend on it, because its meaning never changes.
             */
            error: number;
            /** @description The error message. It is for people and may change. */
            message: string;
        };
    };
    responses: {
        /** @description The request failed; `error` is the reason. After error 1500 or 1599, the plant may have been stored anyway. It is safe to send the same request again: if the plant is already stored, the response is 200. */
        NotCreated: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has no valid access token. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The access token does not allow this request, or a firewall rejected the request. If the stage or the path prefix is wrong, AWS's front end responds instead, with 403 and `{"message":"Forbidden"}`. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service has no route with this method and path. */
        NoSuchRoute: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request is larger than Lambda accepts (about 4.5 MB). If the body is larger than 10 MB, AWS's front end responds instead, with 413 and plain text. */
        RequestTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. */
        Throttled: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description API Gateway failed, or the access token could not be checked. */
        GatewayFault: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The function returned an invalid response, or no response at all. */
        InvalidFunctionResponse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description API Gateway timed out waiting for the function. */
        FunctionTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error from API Gateway. AWS's front end responds without an Error body if the HTTP is malformed, if the headers are too large, or if the front end itself fails. */
        GatewayError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The number of seconds to wait before a retry (RFC 9110 §10.2.3). */
        RetryAfter: number;
        /** @description The bearer challenge (RFC 6750 §3). */
        WWWAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant is stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            400: components["responses"]["NotCreated"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoSuchRoute"];
            413: components["responses"]["RequestTooLarge"];
            429: components["responses"]["Throttled"];
            500: components["responses"]["GatewayFault"];
            502: components["responses"]["InvalidFunctionResponse"];
            504: components["responses"]["FunctionTimeout"];
            default: components["responses"]["GatewayError"];
        };
    };
}
